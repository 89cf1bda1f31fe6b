/* test_applied.c - notices of what became of a patch */
#include <string.h>

#include "mail/applied_priv.h"
#include "mail/reading.h"

#include "tests/test.h"

static struct reading *read_mail(const char *from, const char *subject,
				 const char *head, const char *text)
{
	g_autofree char *raw = g_strdup_printf(
		"From: %s\nTo: list@lists.example.org\nMessage-ID: "
		"<n@example.org>\nIn-Reply-To: <p@example.org>\n"
		"Date: Mon, 6 Jan 2020 10:00:00 +0000\n%sSubject: %s\n"
		"Content-Type: text/plain; charset=utf-8\n\n%s",
		from, head, subject, text);
	g_autoptr(GBytes) bytes = g_bytes_new(raw, strlen(raw));
	g_autoptr(message) msg = message_parse(bytes, 0, NULL);

	ck_assert_ptr_nonnull(msg);
	return reading_new(msg);
}

/* "kind tree#branch n,n/total partial commits", what is unknown left out. */
static char *tell(const struct applied *a)
{
	GString *s;

	if (!a)
		return g_strdup("");
	s = g_string_new(applied_kind_name(a->kind));
	if (a->tree || a->branch)
		g_string_append_printf(s, " %s#%s", a->tree ? a->tree : "",
				       a->branch ? a->branch : "");
	for (guint i = 0; i < a->items->len; i++) {
		const struct applied_item *item = a->items->pdata[i];

		g_string_append_printf(s, "%s%d", i ? "," : " ", item->number);
	}
	if (a->partial)
		g_string_append(s, " partial");
	for (guint i = 0; i < a->commits->len; i++)
		g_string_append_printf(s, " %s", (char *)a->commits->pdata[i]);
	return g_string_free(s, FALSE);
}

#define PERSON "A Person <person@example.org>"
#define ONE    "Re: [PATCH] foo: mend the bar"
#define FIVE   "Re: [PATCH 0/5] foo: mend the bars"

static const struct {
	const char *subject, *text, *told;
} cases[] = {
	/* in other words */
	{FIVE, "So patches 1 and 2 have been applied. Thanks.\n",
	 "applied 1,2 partial"},
	{ONE, "The patch has been merged now, I updated the log.\n", "merged"},
	{ONE, "Ah, this patch has already been applied in previous updates.\n",
	 "applied"},
	{FIVE,
	 "I've applied all except 1 and 3, so there are still 2 warnings "
	 "that could be fixed.\n",
	 "applied 2,4,5 partial"},
	{FIVE, "1 and 3 applied but I don't recommend to go on.\n",
	 "applied 1,3 partial"},
	{ONE, "Added to misc-next as it's not related to the rest.\n",
	 "applied #misc-next"},
	{ONE, "It is fine, added to the rc queue so we can get it soon.\n",
	 "applied rc queue#"},
	{ONE,
	 "We can update it further but we need a start so I've applied v2 to\n"
	 "misc-next and let's take that.\n",
	 "applied #misc-next"},
	{FIVE,
	 "Thanks, I've applied the first two patches in this series, since\n"
	 "these are fixes.\n",
	 "applied partial"},
	{ONE, "Patch updated and misc-next pushed. Thanks.\n",
	 "applied #misc-next"},
	{ONE, "Updated misc-next pushed.\n", "applied #misc-next"},
	{ONE, "Updated and pushed, thanks.\n", "applied"},
	{ONE, "Patch updated and queued for, thanks.\n", "queued"},
	{ONE, "Yes, that's been in misc-next since friday.\n",
	 "applied #misc-next"},
	{ONE, "Once patches 1 and 2 have been applied, it works.\n", ""},
	{ONE, "Sure, added to the rest.\n", "applied"},
	{ONE, "Added to the rest of the bar patches, thanks.\n", "applied"},
	{ONE, "A flag is added to the rest of them.\n", ""},
	{ONE, "And it crashes at boot, the patch is in branch foo-next.\n", ""},
	{ONE, "No, but Jo sent the fix, that's now in devel.\n", ""},
	{ONE, "Jo sent a fixup and that's been folded to the patch.\n", ""},
	{ONE, "The extents have been merged.\n", ""},
	{ONE, "All fixed and pushed to the page.\n", ""},
	{ONE, "If this patch has been applied, drop the other.\n", ""},
	{ONE, "I've applied this, still crashes.\n", ""},
	/* stock */
	{ONE, "Applied, thanks.\n", "applied"},
	{ONE, "On Monday, B wrote:\n> x\n\nApplied.\n", "applied"},
	{ONE, "Added to misc-next, thanks.\n", "applied #misc-next"},
	{ONE, "Thanks, applied to for-next.\n", "applied #for-next"},
	{ONE, "Applied to 5.3/scsi-queue, thanks!\n",
	 "applied #5.3/scsi-queue"},
	{ONE, "Applied to the vfs.misc branch of the vfs/vfs.git tree.\n",
	 "applied vfs/vfs.git#vfs.misc"},
	{ONE, "Applied to foo.git#bar for 5.11, thanks.\n",
	 "applied foo.git#bar"},
	{ONE, "Applied to dma-buf, thanks\n", "applied #dma-buf"},
	{ONE, "Queued for 5.3, thanks.\n", "queued"},
	{ONE, "now queued up,\n\ngreg k-h\n", "queued"},
	{ONE, "Thanks for the backports, all now queued up.\n", "queued"},
	{ONE, "Added to the devel queue, thanks\n", "applied #devel"},
	{ONE, "I've picked this up, thanks.\n", "applied"},
	{ONE, "It's applied now, thanks\n", "applied"},
	{"Re: [GIT PULL] foo updates", "Pulled, thanks.\n", "merged"},
	{ONE, "Merged to devel, some time ago.\n", "merged #devel"},
	{ONE, "Folded to the patch, thanks.\n", "applied"},
	{ONE, "I\xe2\x80\x99ve applied it to my for-next branch.\n",
	 "applied #for-next"},
	{ONE,
	 "Applied to\n\n   https://git.example.org/foo.git for-next\n\n"
	 "Thanks!\n",
	 "applied https://git.example.org/foo.git#for-next"},
	{ONE, "Applied and queued up for -stable, thanks.\n",
	 "applied #-stable"},
	{ONE, "Series applied to net-next, thanks.\n", "applied net-next#"},
	{ONE, "Patch applied.  Thanks.\n", "applied"},
	{ONE, "Thanks, applied now.\n", "applied"},
	{ONE, "Applied to for-next branch now.  Thanks.\n",
	 "applied #for-next"},
	{ONE, "Applied for fixes and by adding a stable tag, thanks!\n",
	 "applied #fixes"},
	{ONE,
	 "Applied to the togreg branch of iio.git and pushed out as "
	 "testing.\n",
	 "applied iio.git#togreg"},
	{ONE, "Queued in hid.git#for-5.13/wacom.\n",
	 "queued hid.git#for-5.13/wacom"},
	{ONE, "Applied to arm64 (for-next/core), thanks!\n",
	 "applied arm64#for-next/core"},
	{ONE, "Thanks, this is on fixes.\n", "applied #fixes"},
	{ONE, "Applied with an ack to pci/pm for v5.3, thanks!\n",
	 "applied #pci/pm"},
	{ONE, "Looks good to me, merged into audit/next, thanks.\n",
	 "merged #audit/next"},
	{ONE, "merged into cifs-2.6.git for-next pending testing\n",
	 "merged cifs-2.6.git#for-next"},
	{ONE, "Applied to `rust-next` -- thanks everyone!\n",
	 "applied #rust-next"},
	{ONE, "Pushed to drm-misc-next. Thanks\n", "applied #drm-misc-next"},
	{ONE,
	 "I've applied this patch to my review-foo\nbranch:\n"
	 "https://git.example.org/foo.git/log/?h=review-foo\n",
	 "applied #review-foo"},
	{FIVE, "2 patches applied to ath-next branch of ath.git, thanks.\n",
	 "applied ath.git#ath-next"},
	{ONE, "Applied as 5.9 material with some edits, thanks!\n", "applied"},
	{ONE, "Added it misc-next, thanks.\n", "applied #misc-next"},
	{ONE, "V2 updated in misc-next, thanks.\n", "applied #misc-next"},
	{ONE, "Pushed to foo-misc (foo-misc-next), adding:\n\nCloses: x\n",
	 "applied foo-misc#foo-misc-next"},
	{ONE, "Series applied to powerpc fixes, thanks.\n",
	 "applied powerpc#fixes"},
	{ONE, "Applied to the hid tree, branch for-6.2/upstream-fixes\n",
	 "applied hid#for-6.2/upstream-fixes"},
	{ONE, "Thx, queued in renesas-clk for v6.2.\n", "queued #renesas-clk"},
	{ONE,
	 "Thanks, this is to be picked up through the BMC tree.\n\n"
	 "[1/1] ARM: dts: foo\n      commit: 0123456789abcdef\n",
	 "applied 1 0123456789abcdef"},
	{ONE, "The log says\n\n[3/7] checking the cache\nfound 12 errors\n",
	 ""},
	/* in a longer sentence */
	{ONE, "The analysis and fix are correct, patch added to devel.\n",
	 "applied #devel"},
	{ONE,
	 "I've fixed the small things and added this patchset to\n"
	 "misc-next.\n",
	 "applied #misc-next"},
	{ONE, "With the minor tweaks, added to devel, thanks.\n",
	 "applied #devel"},
	{ONE,
	 "With some touches the series has been moved from topic branch "
	 "to misc-next.\n",
	 "applied #misc-next"},
	{ONE,
	 "Some thoughts first. Patch added to misc-next and will go to rc."
	 "\n",
	 "applied #misc-next"},
	{ONE, "Looks good\nApplied to for-next\nThanks\n", "applied #for-next"},
	{ONE, "This series is now in misc-next, thanks.\n",
	 "applied #misc-next"},
	{ONE, "I'm adding this to for-next.\n", "applied #for-next"},
	{ONE, "Did the same here, applied it.\n", "applied"},
	/* subsets */
	{FIVE, "1-3 added to misc-next, thanks.\n",
	 "applied #misc-next 1,2,3 partial"},
	{FIVE, "1-5 added to misc-next, thanks.\n",
	 "applied #misc-next 1,2,3,4,5"},
	{FIVE, "2-5 added to misc-next, 1 has some comments. Thanks.\n",
	 "applied #misc-next 2,3,4,5 partial"},
	{FIVE, "1, 2 and 4 applied, thanks.\n", "applied 1,2,4 partial"},
	{FIVE, "Applied patches 1 and 3-4 to for-next, thanks.\n",
	 "applied #for-next 1,3,4 partial"},
	{FIVE, "I've taken patches 1 and 2 already.\n", "applied 1,2 partial"},
	{ONE, "Pushed to dinq, thanks for the patch.\n", "applied #dinq"},
	{ONE, "Merged with the typo fixed, thanks!\n", "merged"},
	{ONE,
	 "https://git.example.org/foo.git/commit/?h=dev&id=0123456789ab\n"
	 "\nMerged. Thanks,\n",
	 "merged 0123456789ab"},
	{FIVE, "Patches 1/5 and 2/5 applied, thanks\n", "applied 1,2 partial"},
	{FIVE, "I've queued all 5, thanks!\n", "queued"},
	{FIVE, "Applied the first 2 patches to for-next, thanks.\n",
	 "applied #for-next 1,2 partial"},
	{FIVE, "Except patches 4, 5, series merged to misc-next.\n",
	 "merged #misc-next 1,2,3 partial"},
	{FIVE, "I've applied all except 1 and 5, thanks.\n",
	 "applied 2,3,4 partial"},
	{"Re: (subset) [PATCH 0/5] foo", "Applied, thanks!\n",
	 "applied partial"},
	/* taken out, not taken */
	{ONE, "I've removed it from misc-next until there is a fix.\n",
	 "reverted #misc-next"},
	{ONE, "Patch removed from misc-next.\n", "reverted #misc-next"},
	{ONE, "I've reverted this in foo-next.\n", "reverted #foo-next"},
	{ONE, "I've dropped this patch.\n", "reverted"},
	{ONE, "This patch does not apply to misc-next.\n",
	 "rejected #misc-next"},
	{ONE, "This doesn't apply anymore, please rebase.\n", "rejected"},
	/* promises */
	{ONE, "I'll queue it up for 5.9.\n", "promised"},
	{ONE, "I will add it to misc-next.\n", "promised #misc-next"},
	{ONE, "I'll queue it. Wait: applied to for-next already, thanks.\n",
	 "applied #for-next"},
	/* look-alikes */
	{ONE, "Has this been applied?\n", ""},
	{ONE, "> Applied, thanks.\n", ""},
	{ONE, "Once applied, it works.\n", ""},
	{ONE, "I applied this to 5.5.0-rc7 and it still crashes.\n", ""},
	{ONE, "Applied it on top & it makes balancing work again.\n", ""},
	{ONE, "The transaction is committed and the pages are merged.\n", ""},
	{ONE, "It's not merged yet.\n", ""},
	{ONE, "This should be merged to misc-next.\n", ""},
	{ONE, "This patch, pushed into mainline, breaks my laptop.\n", ""},
	{ONE, "I've added comments.\n", ""},
	{ONE, "Added in v3.\n", ""},
	{ONE, "Added to v3, thanks.\n", ""},
	{ONE, "I've taken it to the next level.\n", ""},
	{ONE, "Every block is added to the checksum tree.\n", ""},
	{ONE, "The patch applied cleanly and works.\n", ""},
	{ONE, "Please make sure that it is applied to for-next.\n", ""},
	{ONE, "Now that this is in Linus' tree, mention the commit id.\n", ""},
	{ONE, "This does not apply to old hardware.\n", ""},
	{ONE, "The lock is dropped here.\n", ""},
	{ONE, "I've applied this to my tree and the problem is gone.\n", ""},
	{ONE, "Applied the changes, thanks!\n", ""},
	{ONE, "Merged with the previous patch, thanks.\n", ""},
	{ONE, "Applied to my local tree and tested.\n", ""},
	{ONE, "Applied all your suggestions, thanks.\n", ""},
	{ONE, "Picked up the tags, thanks.\n", ""},
	{ONE, "Applied to linux-next and it boots.\n", ""},
	{ONE, "It's in the following branch.\n", ""},
	{"Re: it hangs", "I applied it and it hangs.\n", ""},
};

START_TEST(people_say)
{
	g_autoptr(reading_auto) r =
		read_mail(PERSON, cases[_i].subject, "", cases[_i].text);
	g_autofree char *told = tell(r->applied);

	ck_assert_msg(!strcmp(told, cases[_i].told), "%s: %s, not %s",
		      cases[_i].text, told, cases[_i].told);
}
END_TEST

START_TEST(list_of_patches)
{
	g_autoptr(reading_auto) r = read_mail(
		PERSON, "Re: [PATCH v2 0/3] foo: mend the bars", "",
		"On Mon, 06 Jan 2020 10:00:00 +0000, B Person wrote:\n"
		"> Some words.\n> [...]\n\nApplied to for-next, thanks!\n\n"
		"[1/3] foo: mend the first bar\n"
		"      commit: 0123456789abcdef0123456789abcdef01234567\n"
		"[2/3] foo: mend the second bar, which has a long name\n"
		"      that goes on\n"
		"      https://git.example.org/foo/c/ABCDEF012345\n"
		"[3/3] foo: mend the third bar\n"
		"      (no commit info)\n\n"
		"Best regards,\n-- \nA Person <person@example.org>\n");
	const struct applied *a = r->applied;
	const struct applied_item *second;

	ck_assert_ptr_nonnull(a);
	ck_assert_uint_eq(a->items->len, 3);
	second = a->items->pdata[1];
	ck_assert_int_eq(second->number, 2);
	ck_assert_int_eq(second->total, 3);
	ck_assert_str_eq(second->title, "foo: mend the second bar, which has a "
					"long name that goes on");
	ck_assert_str_eq(second->commit, "abcdef012345");
	ck_assert_uint_eq(a->commits->len, 2);
	ck_assert_str_eq(a->commits->pdata[0],
			 "0123456789abcdef0123456789abcdef01234567");
	ck_assert_str_eq(a->branch, "for-next");
	ck_assert_str_eq(a->text, "Applied to for-next, thanks!");
	ck_assert_uint_eq(a->line, 5);
	ck_assert(!a->robot);
}
END_TEST

START_TEST(bare_list)
{
	g_autoptr(reading_auto) r = read_mail(
		PERSON, "Re: [PATCH 1/2] foo: mend the bar", "",
		"B Person <b@example.org> wrote:\n\n> Some words.\n\n"
		"2 patches applied to foo-next branch of foo.git, thanks.\n\n"
		"0123456789ab foo: mend the bar\n"
		"123456789abc foo: mend the other bar\n\n-- \n"
		"https://patches.example.org/1\n");
	g_autofree char *told = tell(r->applied);
	const struct applied_item *item;

	ck_assert_str_eq(told, "applied foo.git#foo-next -1,-1 0123456789ab "
			       "123456789abc");
	item = r->applied->items->pdata[1];
	ck_assert_str_eq(item->title, "foo: mend the other bar");
}
END_TEST

static const struct {
	const char *from, *subject, *head, *text, *told;
} robots[] = {
	{"pr-tracker-bot@kernel.org", "Re: [GIT PULL] foo updates",
	 "X-PR-Tracked-Message-Id: <pull@example.org>\n"
	 "X-PR-Merge-Tree: torvalds/linux.git\n"
	 "X-PR-Merge-Refname: refs/heads/master\n"
	 "X-PR-Merge-Commit-Id: 0123456789abcdef0123456789abcdef01234567\n",
	 "The pull request you sent on Mon, 6 Jan 2020 10:00:00 +0100:\n\n"
	 "> git://git.example.org/foo.git tags/foo-5.5\n\n"
	 "has been merged into torvalds/linux.git:\n"
	 "https://git.kernel.org/torvalds/c/"
	 "0123456789abcdef0123456789abcdef01234567\n\nThank you!\n",
	 "merged torvalds/linux.git#master -1 "
	 "0123456789abcdef0123456789abcdef01234567"},
	{"tip-bot2 for B Person <tip-bot2@linutronix.de>",
	 "[tip: sched/urgent] sched: Mend the bar", "",
	 "The following commit has been merged into the sched/urgent branch of "
	 "tip:\n\nCommit-ID:     0123456789abcdef0123456789abcdef01234567\n"
	 "Gitweb:        https://git.kernel.org/tip/"
	 "0123456789abcdef0123456789abcdef01234567\n\nsched: Mend the bar\n",
	 "merged tip#sched/urgent -1 0123456789abcdef0123456789abcdef01234567"},
	{"patchwork-bot+foo@kernel.org", "Re: [PATCH v2 0/2] Mend the bars", "",
	 "Hello:\n\nThis series was applied to foo/foo.git (dev)\n"
	 "by B Person <b@example.org>:\n\n"
	 "On Mon,  6 Jan 2020 10:00:00 +0000 you wrote:\n> words\n\n"
	 "Here is the summary with links:\n"
	 "  - [v2,1/2] Mend the first bar\n"
	 "    https://git.kernel.org/foo/foo/c/0123456789ab\n"
	 "  - [v2,2/2] Mend the second bar\n"
	 "    (no matching commit)\n\n"
	 "You are awesome, thank you!\n-- \nDeet-doot-dot, I am a bot.\n",
	 "applied foo/foo.git#dev 1,2 partial 0123456789ab"},
	{"patchwork-bot+foo@kernel.org", "Patchwork summary for: foo", "",
	 "Hello:\n\nThe following patches were marked \"accepted\", because "
	 "they were applied to\nfoo/foo.git (for-next):\n\n"
	 "Patch: [v2] Mend the bar\n  Submitter: C Person <c@example.org>\n"
	 "  Committer: B Person <b@example.org>\n"
	 "  Patchwork: https://patchwork.kernel.org/series/1\n"
	 "  Lore link: https://lore.kernel.org/r/patch@example.org\n\n"
	 "Total patches: 1\n\n-- \nDeet-doot-dot, I am a bot.\n",
	 "applied foo/foo.git#for-next -1"},
	{"gregkh@linuxfoundation.org",
	 "Patch \"foo: mend the bar\" has been added to the 5.4-stable tree",
	 "",
	 "\nThis is a note to let you know that I've just added the patch "
	 "titled\n\n    foo: mend the bar\n\nto the 5.4-stable tree which can "
	 "be found at:\n    http://www.kernel.org/git/\n",
	 "picked-stable 5.4-stable# -1"},
	{"gregkh@linuxfoundation.org",
	 "FAILED: patch \"[PATCH] foo: mend the bar\" failed to apply to "
	 "5.4-stable tree",
	 "", "\nThe patch below does not apply to the 5.4-stable tree.\n",
	 "rejected 5.4-stable# -1"},
	{"gregkh@linuxfoundation.org",
	 "patch \"usb: mend the bar\" added to usb-next", "",
	 "\nThis is a note to let you know that I've just added the patch "
	 "titled\n\n    usb: mend the bar\n\nto my usb git tree which can be "
	 "found at\n    git://git.kernel.org/gregkh/usb.git\n"
	 "in the usb-next branch.\n",
	 "applied usb#usb-next -1"},
	{"akpm@linux-foundation.org",
	 "+ mm-mend-the-bar.patch added to "
	 "mm-unstable branch",
	 "",
	 "\nThe patch titled\n     Subject: mm: mend the bar\nhas been added to "
	 "the -mm mm-unstable branch.  Its filename is\n"
	 "     mm-mend-the-bar.patch\n",
	 "applied -mm#mm-unstable -1"},
	{"akpm@linux-foundation.org",
	 "[merged mm-stable] mm-mend-the-bar.patch removed from -mm tree", "",
	 "\nThe quilt patch titled\n     Subject: mm: mend the bar\nhas been "
	 "removed from the -mm tree.  Its filename was\n"
	 "     mm-mend-the-bar.patch\n\nThis patch was dropped because it was "
	 "merged into the mm-stable branch\nof git://git.example.org/mm\n",
	 "merged -mm#mm-stable -1"},
	{"akpm@linux-foundation.org",
	 "[obsolete] mm-mend-the-bar.patch removed from -mm tree", "",
	 "\nThe patch titled\n     Subject: mm: mend the bar\nhas been removed "
	 "from the -mm tree.  Its filename was\n     mm-mend-the-bar.patch\n\n"
	 "This patch was dropped because it is obsolete\n",
	 "reverted -mm# -1"},
	{"patchwork-bot+spi@kernel.org", "Patchwork summary for: spi", "",
	 "Hello:\n\nThe following patches were marked \"accepted\", because "
	 "they were applied to\nfoo/spi.git (refs/heads/for-next):\n\n"
	 "Series: Some cleanups\n  Submitter: C Person <c@example.org>\n"
	 "  Link: <cover@example.org>\n    Patches: [v1,1/2] spi: one\n"
	 "             [v1,2/2] spi: two\n\nTotal patches: 2\n",
	 "applied foo/spi.git#for-next -1"},
	{"akpm@linux-foundation.org",
	 "[merged] mm-mend-the-bar.patch removed from -mm tree", "",
	 "\nThe patch titled\n     Subject: mm: mend the bar\nhas been removed "
	 "from the -mm tree.  Its filename was\n     mm-mend-the-bar.patch\n\n"
	 "This patch was dropped because it was merged into mainline or a "
	 "subsystem tree\n",
	 "merged -mm# -1"},
	/* proposals and chatter */
	{"Sasha Levin <sashal@kernel.org>", "Re: [PATCH] foo: mend the bar", "",
	 "Hi,\n\n[This is an automated email]\n\nThe bot has tested the "
	 "following trees: v5.4.\n\nv5.4: Build OK!\n\nNOTE: The patch will not "
	 "be queued to stable trees until it is upstream.\n",
	 ""},
	{"lkp@intel.com", "Re: [PATCH] foo: mend the bar", "",
	 "Hi B,\n\nPatches added to for-next, thanks.\n", ""},
};

START_TEST(robots_tell)
{
	g_autoptr(reading_auto) r =
		read_mail(robots[_i].from, robots[_i].subject, robots[_i].head,
			  robots[_i].text);
	g_autofree char *told = tell(r->applied);

	ck_assert_msg(!strcmp(told, robots[_i].told), "%s: %s, not %s",
		      robots[_i].subject, told, robots[_i].told);
	ck_assert(!r->applied || r->applied->robot);
}
END_TEST

static const struct {
	const char *subject, *text, *told;
	gboolean robot;
} scripts[] = {
	{"Applied \"spi: mend the bar\" to the spi tree",
	 "The patch\n\n   spi: mend the bar\n\nhas been applied to the spi "
	 "tree at\n\n   https://git.example.org/spi.git for-5.6\n\n"
	 "All being well.\n\nThanks,\nA\n\n"
	 "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 "
	 "2001\nFrom: B Person <b@example.org>\n"
	 "Subject: [PATCH] spi: mend the bar\n\nWords.\n\n"
	 "Signed-off-by: B Person <b@example.org>\n---\n x.c | 2 +-\n"
	 " 1 file changed, 1 insertion(+), 1 deletion(-)\n\n"
	 "diff --git a/x.c b/x.c\nindex 1234567..2345678 100644\n"
	 "--- a/x.c\n+++ b/x.c\n@@ -1,1 +1,1 @@\n-a\n+b\n",
	 "applied spi#for-5.6 -1 0123456789abcdef0123456789abcdef01234567",
	 FALSE},
	{"[git:media_stage/master] media: mend the bar",
	 "This is an automatic generated email to let you know that the "
	 "following patch were queued:\n\nSubject: media: mend the bar\n"
	 "Author:  B Person <b@example.org>\n"
	 "Date:    Mon Jan 6 10:00:00 2020 +0000\n\nWords.\n\n"
	 "Signed-off-by: B Person <b@example.org>\n\n x.c | 2 +-\n"
	 " 1 file changed, 1 insertion(+), 1 deletion(-)\n\n---\n\n"
	 "diff --git a/x.c b/x.c\nindex 1234567..2345678 100644\n"
	 "--- a/x.c\n+++ b/x.c\n@@ -1,1 +1,1 @@\n-a\n+b\n",
	 "queued media_stage#master -1", TRUE},
	{"[git:foo] Re: questions", "What is this?\n", "", FALSE},
};

START_TEST(scripts_tell)
{
	g_autoptr(reading_auto) r =
		read_mail(PERSON, scripts[_i].subject, "", scripts[_i].text);
	g_autofree char *told = tell(r->applied);

	ck_assert_msg(!strcmp(told, scripts[_i].told), "%s: %s, not %s",
		      scripts[_i].subject, told, scripts[_i].told);
	ck_assert(!r->applied || r->applied->robot == scripts[_i].robot);
}
END_TEST

START_TEST(summary_links)
{
	g_autoptr(reading_auto) r = read_mail(robots[3].from, robots[3].subject,
					      "", robots[3].text);
	const struct applied_item *item = r->applied->items->pdata[0];

	ck_assert_str_eq(item->mid, "patch@example.org");
	ck_assert_str_eq(item->title, "[v2] Mend the bar");
}
END_TEST

/* The table is searched by halves. */
START_TEST(words_are_sorted)
{
	static const char *const some[] = {"a",	   "added",  "applied", "i've",
					   "it's", "thanks", "your",	"zzz"};

	for (guint i = 0; i + 1 < G_N_ELEMENTS(some); i++)
		ck_assert_msg(notice_lookup(some[i]) != NULL, "%s", some[i]);
	ck_assert_ptr_null(notice_lookup("zzz"));
	ck_assert(notice_tables_sorted());
}
END_TEST

/* A notice quoted by somebody else is not his. */
START_TEST(quoted_is_not_said)
{
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_auto(GStrv) lines = g_strsplit(cases[i].text, "\n", 0);
		g_autofree char *joined = g_strjoinv("\n> ", lines);
		g_autofree char *text = g_strdup_printf(
			"On Monday, B Person wrote:\n> %s\n\nI see.\n", joined);
		g_autoptr(reading_auto) r =
			read_mail(PERSON, cases[i].subject, "", text);

		ck_assert_msg(!r->applied, "%s", text);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("applied");
	TCase *t = tcase_create("applied");

	tcase_add_loop_test(t, people_say, 0, G_N_ELEMENTS(cases));
	tcase_add_test(t, list_of_patches);
	tcase_add_test(t, bare_list);
	tcase_add_loop_test(t, robots_tell, 0, G_N_ELEMENTS(robots));
	tcase_add_loop_test(t, scripts_tell, 0, G_N_ELEMENTS(scripts));
	tcase_add_test(t, summary_links);
	tcase_add_test(t, words_are_sorted);
	tcase_add_test(t, quoted_is_not_said);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
