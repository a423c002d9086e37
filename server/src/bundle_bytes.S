// SPDX-License-Identifier: MIT
// The bytes of web/bundle, of devices.css, of their packed copies and of the licences, each between two labels.

    .section .rodata

    .macro file name, path
    .global bundle_\name
    .global bundle_\name\()_end
    .balign 16
bundle_\name:
    .incbin "\path"
bundle_\name\()_end:
    .byte 0
    .endm

    file page_html, "page.html"
    file page_js, "page.js"
    file page_css, "page.css"
    file page_html_gz, "page.html.gz"
    file page_js_gz, "page.js.gz"
    file page_css_gz, "page.css.gz"

    file devices_css, "devices.css"

    file licence, "LICENSE"
    file page_notices, "LICENSES"
    file libraries, "libraries.txt"

    .section .note.GNU-stack, "", %progbits
