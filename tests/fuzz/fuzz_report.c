/* fuzz_report.c - any text under the addresses of robots, and as a page of a
 * web archive; the first byte chooses */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mail/reading.h"
#include "mail/webcopy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const heads[] = {
	"From: kernel test robot <lkp@intel.com>\n",
	"From: Oliver Sang <oliver.sang@intel.com>\n",
	"From: syzbot <syzbot+0123456789abcdef0123@syzkaller.appspotmail.com>\n",
	"From: bot@kernelci.org\n",
	"From: lkft@linaro.org\n",
	"From: cki-project@redhat.com\n",
	"From: coverity-bot <keescook@chromium.org>\n",
	"From: Stephen Rothwell <sfr@canb.auug.org.au>\n",
	"", /* a page */
};

static void check_report(const struct report *r, guint lines)
{
	for (guint i = 0; i < r->errors->len; i++) {
		const struct report_error *e = r->errors->pdata[i];

		g_assert_true(g_utf8_validate(e->text, -1, NULL));
		g_assert_true(!e->file || *e->file);
	}
	for (guint i = 0; i < r->still_on->len; i++) {
		const struct report_status *s = r->still_on->pdata[i];

		g_assert_cmpuint(strlen(s->commit), ==, 40);
	}
	g_assert_cmpuint(r->parameters->len, <=, lines);
	g_assert_cmpuint(r->tags_offered->len, <=, lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GString) s = NULL;
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(message) msg = NULL;
	g_autoptr(reading_auto) r = NULL;
	guint which = size ? data[0] % G_N_ELEMENTS(heads) : 0;

	if (!size)
		return 0;
	s = g_string_new(heads[which]);
	if (*heads[which])
		g_string_append(s, "Message-ID: <a@example.org>\nSubject: ");
	g_string_append_len(s, (const char *)data + 1, (gssize)size - 1);
	bytes = g_bytes_new(s->str, s->len);
	msg = message_parse(bytes, 0, NULL);
	if (!msg)
		return 0;
	r = reading_new(msg);
	g_assert_true((r->kind == KIND_REPORT) == (r->report != NULL));
	if (r->report)
		check_report(r->report, body_count(r->body));
	return 0;
}
