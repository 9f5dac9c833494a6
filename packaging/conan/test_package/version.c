/* SPDX-License-Identifier: MIT
 *
 * Fails if the headers and the library are not of one version. */
#include <ossa/ossa.h>

#include <stdio.h>

int main(void)
{
    puts(ossa_version_text());
    return ossa_version() == OSSA_VERSION ? 0 : 1;
}
