// SPDX-License-Identifier: MIT
// Foreign text in HTML and in addresses.
#ifndef HTML_H
#define HTML_H

#include <stdio.h>

// Writes a text for an element or an attribute in double quotes; what could not be seen, or
// changes the direction of writing, as an escape (wf_utf8_show).
void html_text(FILE *out, const char *text);
// Writes a text as a part of an address, for an attribute, too.
void html_address(FILE *out, const char *text);

#endif
