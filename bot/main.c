/* main.c - the program; everything is in cli.c, which tests can link */
#include "bot/cli.h"

int main(int argc, char **argv)
{
	return cli_main(argc, argv);
}
