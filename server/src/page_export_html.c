// SPDX-License-Identifier: MIT
// The viewer's page with inline script and style. Its own content security policy allows only these
// two, by their hashes. The data cannot close an element.

#include <openssl/evp.h>
#include <string.h>
#include <strings.h>

#include "wallfly_server/bundle.h"
#include "wallfly_server/page_export.h"

enum { HASH_MAX = 96 };

static const char style_tag[] = "<link rel=\"stylesheet\" href=\"page.css\">";
static const char script_tag[] = "<script src=\"page.js\"></script>";

struct span {
    const char *text;
    size_t len;
};

static struct span of_file(const struct wf_page_file *f) {
    return (struct span){(const char *)f->bytes, f->len};
}

// Cuts off the text before a tag; the rest remains. Returns false when the tag is not found.
static bool cut_before(struct span *rest, const char *tag, struct span *before) {
    size_t len = strlen(tag);
    const char *at = memmem(rest->text, rest->len, tag, len);
    if (!at) return false;
    *before = (struct span){rest->text, (size_t)(at - rest->text)};
    rest->len -= before->len + len;
    rest->text = at + len;
    return true;
}

// In a script or style this text would end it, at any position.
static bool contains(const struct span *s, const char *what) {
    size_t len = strlen(what);
    for (size_t i = 0; i + len <= s->len; ++i) {
        if (strncasecmp(s->text + i, what, len) == 0) return true;
    }
    return false;
}

// Makes the hash source for the policy: 'sha256-...'.
static bool hash_of(const struct span *s, char hash[HASH_MAX]) {
    uint8_t sum[EVP_MAX_MD_SIZE];
    char text[HASH_MAX];
    unsigned len = 0;
    if (EVP_Digest(s->text, s->len, sum, &len, EVP_sha256(), NULL) != 1) return false;
    EVP_EncodeBlock((unsigned char *)text, sum, (int)len);
    return snprintf(hash, HASH_MAX, "'sha256-%s'", text) < HASH_MAX;
}

static void put_span(FILE *out, const struct span *s) { fwrite(s->text, 1, s->len, out); }

// Escapes characters that in JSON occur only within strings.
static void put_escaped(FILE *out, const char *data, size_t len) {
    for (size_t i = 0; i < len; ++i) {
        char c = data[i];
        bool separator = len - i >= 3 && memcmp(&data[i], "\xE2\x80", 2) == 0 &&
                         (data[i + 2] == '\xA8' || data[i + 2] == '\xA9');
        if (c == '<' || c == '>' || c == '&') {
            fprintf(out, "\\u00%02x", c);
        } else if (separator) {
            fprintf(out, "\\u20%02x", data[i + 2] == '\xA8' ? 0x28 : 0x29);
            i += 2;
        } else {
            putc(c, out);
        }
    }
}

static void put_part(FILE *out, const struct page_export_part *part) {
    fprintf(out, "<script type=\"application/json\" id=\"%s\">", part->id);
    put_escaped(out, part->data, part->len);
    fputs("</script>\n", out);
}

bool page_export_put_html(FILE *out, const struct page_export_part *parts, unsigned count) {
    struct wf_page_file files[BUNDLE_FILES];
    char style_hash[HASH_MAX], script_hash[HASH_MAX];
    struct span head, body;
    bundle_get(files);
    struct span rest = of_file(&files[BUNDLE_HTML]), script = of_file(&files[BUNDLE_JS]);
    struct span style = of_file(&files[BUNDLE_CSS]);
    if (!cut_before(&rest, style_tag, &head) || !cut_before(&rest, script_tag, &body) ||
        contains(&script, "</script") || contains(&script, "<!--") || contains(&style, "</style") ||
        !hash_of(&style, style_hash) || !hash_of(&script, script_hash))
        return false;
    put_span(out, &head);
    fprintf(out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "script-src %s; style-src %s; img-src data:\">\n<style>",
            script_hash, style_hash);
    put_span(out, &style);
    fputs("</style>", out);
    put_span(out, &body);
    for (unsigned i = 0; i < count; ++i) put_part(out, &parts[i]);
    fputs("<script>", out);
    put_span(out, &script);
    fputs("</script>", out);
    put_span(out, &rest);
    return !ferror(out);
}
