/* SPDX-License-Identifier: MIT */
#include "cli.h"

/* Goes back to the last * only, so it is never slow. */
bool matches(const char *pattern, const char *text)
{
    const char *star = NULL;
    const char *retry = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}
