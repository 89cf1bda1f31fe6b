/* replay.c - run a fuzzer's function over files, without libFuzzer
 * Arguments are files or folders of files. */
#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXIT_SKIPPED 77

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* From a copy without spare room behind it, so that reading on is noticed. */
static gboolean replay(const char *path)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *text = NULL;
	g_autofree uint8_t *data = NULL;
	gsize len;

	if (!g_file_get_contents(path, &text, &len, &err)) {
		fprintf(stderr, "%s\n", err->message);
		return FALSE;
	}
	data = g_malloc(len ? len : 1);
	memcpy(data, text, len);
	LLVMFuzzerTestOneInput(data, len);
	return TRUE;
}

static guint replay_folder(const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;
	guint count = 0;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(path, name, NULL);

		count += replay(file);
	}
	return count;
}

int main(int argc, char **argv)
{
	guint count = 0;

	for (int i = 1; i < argc; i++)
		if (g_file_test(argv[i], G_FILE_TEST_IS_DIR))
			count += replay_folder(argv[i]);
		else
			count += replay(argv[i]);
	printf("%u files replayed\n", count);
	return count ? 0 : EXIT_SKIPPED;
}
