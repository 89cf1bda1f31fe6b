/* test_view.c - messages and threads as JSON: the keys of the contract, in
 * its order, and null for what is not known */
#include "bot/view.h"

#include "tests/bot/box.h"

static char *keys_of(json_t *o)
{
	GString *out = g_string_new(NULL);
	const char *key;
	json_t *value;

	json_object_foreach(o, key, value)
		g_string_append_printf(out, "%s%s", out->len ? " " : "", key);
	return g_string_free(out, FALSE);
}

static void check_keys(json_t *o, const char *want)
{
	g_autofree char *got = keys_of(o);

	ck_assert_str_eq(got, want);
}

/* "patch.files.0.path" */
static json_t *dig(json_t *o, const char *path)
{
	g_auto(GStrv) steps = g_strsplit(path, ".", -1);

	for (guint i = 0; steps[i]; i++)
		o = json_is_array(o)
			    ? json_array_get(o,
					     (size_t)g_ascii_strtoull(steps[i],
								      NULL, 10))
			    : json_object_get(o, steps[i]);
	return o;
}

static json_t *view(const char *mail, gboolean with_body)
{
	g_autoptr(GBytes) raw = g_bytes_new_static(mail, strlen(mail));
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autoptr(reading_auto) r = NULL;

	ck_assert_ptr_nonnull(msg);
	r = reading_new(msg);
	return view_message(r, with_body);
}

static const char patch_mail[] =
	"From: Ann Author <ann@example.org>\n"
	"To: list@lists.example.org, Bob <bob@example.org>\n"
	"Subject: [PATCH net v2 3/7] tree: mend it\n"
	"Date: Mon, 2 Mar 2020 10:00:00 +0100\n"
	"Message-ID: <p@x>\n"
	"In-Reply-To: <c@x>\n"
	"\n"
	"It is broken.\n"
	"\n"
	"Fixes: 0123456789ab (\"tree: add it\")\n"
	"Link: https://lore.kernel.org/r/report@x\n"
	"Signed-off-by: Ann Author <ann@example.org>\n"
	"---\n"
	"diff --git a/old b/new\n"
	"similarity index 90%\n"
	"rename from old\n"
	"rename to new\n"
	"--- a/old\n"
	"+++ b/new\n"
	"@@ -1,2 +1,2 @@\n"
	" same\n"
	"-a\n"
	"+b\n";

static const struct {
	const char *path, *want; /* as JSON */
} patch_values[] = {
	{"schema", "\"culprit/message/1\""},
	{"message_id", "\"p@x\""},
	{"message_id_made", "false"},
	{"message_ids_extra", "[]"},
	{"subject_base", "\"tree: mend it\""},
	{"from", "{\"name\":\"Ann Author\",\"address\":\"ann@example.org\"}"},
	{"sender", "null"},
	{"to.0.name", "null"},
	{"to.1.name", "\"Bob\""},
	{"date", "\"2020-03-02T09:00:00Z\""},
	{"date_zone", "\"+0100\""},
	{"in_reply_to", "\"c@x\""},
	{"kind", "\"patch\""},
	{"rerun", "false"},
	{"patch.title", "\"tree: mend it\""},
	{"patch.version", "2"},
	{"patch.number", "3"},
	{"patch.total", "7"},
	{"patch.rfc", "false"},
	{"patch.cover", "false"},
	{"patch.change_id", "null"},
	{"patch.prefixes", "[\"net\"]"},
	{"patch.insertions", "1"},
	{"patch.files.0",
	 "{\"path\":\"new\",\"old_path\":\"old\",\"insertions\":1,"
	 "\"deletions\":1,\"binary\":false}"},
	{"pull", "null"},
	{"trailers.0.key", "\"Fixes\""},
	{"trailers.0.commit", "\"0123456789ab\""},
	{"trailers.0.subject", "\"tree: add it\""},
	{"trailers.0.name", "null"},
	{"trailers.2.address", "\"ann@example.org\""},
	{"trailers.2.where", "\"commit-message\""},
	{"report", "null"},
	{"tables", "[]"},
	{"applied", "null"},
	{"commands", "[]"},
	{"commits.0.role", "\"fixes\""},
	{"links.0.message_id", "\"report@x\""},
	{"warnings", "[]"},
};

START_TEST(values_of_a_patch)
{
	json_t *o = view(patch_mail, FALSE);
	json_t *value = dig(o, patch_values[_i].path);
	g_autofree char *got = value ? view_dump(value) : NULL;

	ck_assert_pstr_eq(got, patch_values[_i].want);
	json_decref(o);
}
END_TEST

START_TEST(keys_of_a_message)
{
	json_t *o = view(patch_mail, TRUE);

	check_keys(o,
		   "schema message_id message_id_made message_ids_extra "
		   "subject subject_base from from_header sender reply_to "
		   "to cc date date_zone in_reply_to references list_ids "
		   "kind rerun patch pull trailers robot report "
		   "tables applied "
		   "verdict_words plans commands commits links warnings body");
	check_keys(dig(o, "patch"),
		   "title version number total rfc resend cover change_id "
		   "base_commit prerequisites prefixes patch_id "
		   "commit_message insertions deletions files");
	json_decref(o);
}
END_TEST

START_TEST(little_is_known)
{
	json_t *o = view("Subject:\n\n", FALSE);
	g_autofree char *line = view_dump(o);

	ck_assert_ptr_null(strchr(line, '\n'));
	ck_assert(json_is_true(dig(o, "message_id_made")));
	ck_assert(json_is_null(dig(o, "date")));
	ck_assert(json_is_null(dig(o, "from.address")));
	ck_assert(json_is_null(dig(o, "patch")));
	ck_assert_ptr_null(dig(o, "body"));
	json_decref(o);
}
END_TEST

START_TEST(not_utf8)
{
	json_t *o = view("Subject: a\xff\x80z\n\nb\xfe\n", TRUE);
	g_autofree char *line = view_dump(o);

	ck_assert(g_utf8_validate(line, -1, NULL));
	ck_assert(json_is_string(dig(o, "subject")));
	json_decref(o);
}
END_TEST

/* ---- threads */

static json_t *view_box(const char *name, const char *mid)
{
	g_autoptr(store) st = box_open("thread", name);
	g_autoptr(thread_auto) t = thread_load(st, mid, NULL);
	g_autoptr(series_set_auto) set = series_load(st, mid, NULL);

	ck_assert(t && set);
	return view_thread(t, set);
}

START_TEST(keys_of_a_thread)
{
	json_t *o = view_box("versions", "c@x");

	check_keys(o, "schema root count messages series");
	check_keys(dig(o, "messages.0"),
		   "message_id parent depth ghost kind subject from date");
	check_keys(dig(o, "series.0"),
		   "cover cover_inherited version version_inferred total "
		   "complete change_id supersedes superseded_by resend_of "
		   "backport_of depends_on patches");
	check_keys(dig(o, "series.0.patches.0"), "message_id number inherited");
	json_decref(o);
}
END_TEST

/* Only what has a mail in the thread; other versions are named. */
START_TEST(series_of_the_thread)
{
	json_t *o = view_box("versions", "r@x");
	g_autofree char *second = view_dump(dig(o, "series.1"));

	ck_assert_uint_eq(json_array_size(dig(o, "series")), 2);
	ck_assert_str_eq(
		second,
		"{\"cover\":\"c@x\",\"cover_inherited\":true,\"version\":2,"
		"\"version_inferred\":false,\"total\":2,\"complete\":true,"
		"\"change_id\":null,\"supersedes\":\"c@x\","
		"\"superseded_by\":\"d@x\",\"resend_of\":null,"
		"\"backport_of\":null,\"depends_on\":[],\"patches\":["
		"{\"message_id\":\"p1@x\",\"number\":1,\"inherited\":true},"
		"{\"message_id\":\"q2@x\",\"number\":2,\"inherited\":false}]}");
	json_decref(o);
}
END_TEST

START_TEST(ghosts_are_null)
{
	json_t *o = view_box("ghosts", "b@x");
	g_autofree char *first = view_dump(dig(o, "messages.0"));

	ck_assert_str_eq(first, "{\"message_id\":\"first@x\",\"parent\":null,"
				"\"depth\":0,\"ghost\":true,\"kind\":null,"
				"\"subject\":null,\"from\":null,"
				"\"date\":null}");
	ck_assert_int_eq(json_integer_value(dig(o, "count")), 3);
	ck_assert_uint_eq(json_array_size(dig(o, "series")), 0);
	json_decref(o);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("view");
	TCase *t = tcase_create("view");

	tcase_add_loop_test(t, values_of_a_patch, 0,
			    G_N_ELEMENTS(patch_values));
	tcase_add_test(t, keys_of_a_message);
	tcase_add_test(t, little_is_known);
	tcase_add_test(t, not_utf8);
	tcase_add_test(t, keys_of_a_thread);
	tcase_add_test(t, series_of_the_thread);
	tcase_add_test(t, ghosts_are_null);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
