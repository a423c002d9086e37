// SPDX-License-Identifier: MIT
#include "wfi_columns.h"

#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"

enum {
    VARINT_MAX = 10,
    SLACK = 8
}; // SLACK: numbers are stored as 8 bytes, the rest is overwritten

// ---- bytes

static uint8_t *room(struct wfi_block *b, size_t len) {
    if (!WFI_GROW(b->bytes, &b->cap, b->len + len + SLACK)) return NULL;
    uint8_t *to = b->bytes + b->len;
    b->len += len;
    return to;
}

static size_t put_varint(uint8_t to[VARINT_MAX], uint64_t value) {
    size_t n = 0;
    for (; value > 0x7F; value >>= 7) to[n++] = (uint8_t)(value | 0x80);
    to[n++] = (uint8_t)value;
    return n;
}

// Stores 8 bytes, the lowest first.
static void put_little(uint8_t *to, uint64_t value) {
    const uint8_t bytes[] = {(uint8_t)value,         (uint8_t)(value >> 8),  (uint8_t)(value >> 16),
                             (uint8_t)(value >> 24), (uint8_t)(value >> 32), (uint8_t)(value >> 40),
                             (uint8_t)(value >> 48), (uint8_t)(value >> 56)};
    memcpy(to, bytes, sizeof bytes); // one store on most machines
}

static bool add_varint(struct wfi_block *b, uint64_t value) {
    uint8_t bytes[VARINT_MAX];
    size_t len = put_varint(bytes, value);
    uint8_t *to = room(b, len);
    if (to) memcpy(to, bytes, len);
    return to != NULL;
}

static bool add_bytes(struct wfi_block *b, const void *bytes, size_t len) {
    uint8_t *to = len ? room(b, len) : NULL;
    if (to) memcpy(to, bytes, len);
    return to || !len;
}

static bool add_text(struct wfi_block *b, const char *text) {
    return add_varint(b, strlen(text)) && add_bytes(b, text, strlen(text));
}

// ---- columns

void wfi_columns_close(struct wfi_columns *c) {
    for (unsigned i = 0; i < WF_FLEET_COLUMNS_MAX; ++i) {
        free(c->columns[i].bytes);
        free(c->columns[i].ends);
        wfi_index_close(&c->columns[i].words.index);
        free(c->columns[i].words.list);
        free(c->columns[i].words.numbers);
    }
}

void wfi_columns_clear(struct wfi_columns *c) {
    for (unsigned i = 0; i < c->table->count; ++i) {
        struct wfi_column *of = &c->columns[i];
        of->len = of->ends_len = of->elements = of->words.count = 0;
        wfi_index_close(&of->words.index);
    }
    c->rows = c->at = 0;
}

// Returns room for a value of the next column; null when out of memory.
static uint8_t *next_room(struct wfi_columns *c, struct wfi_column *to, size_t len) {
    if (!WFI_GROW(to->bytes, &to->cap, to->len + len + SLACK)) {
        c->failed = true;
        return NULL;
    }
    uint8_t *at = to->bytes + to->len;
    to->len += len;
    return at;
}

static const struct wf_fleet_type_info *next_type(const struct wfi_columns *c) {
    return &wf_fleet_types[c->table->columns[c->at].type];
}

void wfi_columns_number(struct wfi_columns *c, uint64_t value) {
    const struct wf_fleet_type_info *type = next_type(c);
    uint8_t *to = next_room(c, &c->columns[c->at++], type->bytes);
    if (to) put_little(to, value);
}

static void put_text(struct wfi_columns *c, struct wfi_column *to, const void *text, size_t len) {
    uint8_t head[VARINT_MAX];
    size_t n = put_varint(head, len);
    uint8_t *at = next_room(c, to, n + len);
    if (!at) return;
    memcpy(at, head, n);
    if (len) memcpy(at + n, text, len);
}

// Adds a word to the dictionary. Returns false when out of memory.
static bool add_word(struct wfi_columns *c, struct wfi_column *to, const void *text, size_t len,
                     uint64_t hash) {
    struct wfi_words *w = &to->words;
    if (!WFI_GROW(w->list, &w->cap, w->count + 1)) return false;
    put_text(c, to, text, len);
    w->list[w->count++] = (struct wfi_word){to->len - len, len};
    return !c->failed && wfi_index_add(&w->index, hash, (uint32_t)w->count);
}

static bool is_word(const struct wfi_column *of, uint32_t number, const void *text, size_t len) {
    const struct wfi_word *word = &of->words.list[number - 1];
    return word->len == len && (!len || memcmp(of->bytes + word->at, text, len) == 0);
}

// Returns the number of a word in the dictionary, from 1; 0 when out of memory.
static uint32_t number_of(struct wfi_columns *c, struct wfi_column *to, const void *text,
                          size_t len) {
    struct wfi_words *w = &to->words;
    const uint64_t hash = wfi_hash_text(text, len, w);
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&w->index, hash, &step)) != 0;)
        if (is_word(to, n, text, len)) return n;
    return add_word(c, to, text, len, hash) ? (uint32_t)w->count : 0;
}

static void put_word(struct wfi_columns *c, struct wfi_column *to, const void *text, size_t len) {
    struct wfi_words *w = &to->words;
    c->failed |= !w->count && !number_of(c, to, "", 0);
    if (c->failed) return;
    // Often it is the word of the row before.
    uint32_t number = c->rows ? w->numbers[c->rows - 1] + 1 : 1;
    if (!len)
        number = 1;
    else if (!is_word(to, number, text, len))
        number = number_of(c, to, text, len);
    if (!number || !WFI_GROW(w->numbers, &w->numbers_cap, c->rows + 1))
        c->failed = true;
    else
        w->numbers[c->rows] = number - 1;
}

void wfi_columns_text(struct wfi_columns *c, const void *text, size_t len) {
    const enum wf_fleet_type type = c->table->columns[c->at].type;
    struct wfi_column *to = &c->columns[c->at];
    ++c->at;
    if (type == WF_FLEET_WORD)
        put_word(c, to, text ? text : "", len);
    else
        put_text(c, to, text, len);
}

void wfi_columns_array(struct wfi_columns *c, const uint64_t *values, size_t count) {
    const struct wf_fleet_type_info *type = next_type(c);
    struct wfi_column *column = &c->columns[c->at++];
    uint8_t *to = count ? next_room(c, column, count * type->bytes) : NULL;
    if (!WFI_GROW(column->ends, &column->ends_cap, column->ends_len + SLACK)) c->failed = true;
    if (c->failed) return;
    for (size_t i = 0; i < count; ++i) put_little(to + i * type->bytes, values[i]);
    column->elements += count;
    put_little(column->ends + column->ends_len, column->elements);
    column->ends_len += 8;
}

void wfi_columns_end_row(struct wfi_columns *c) {
    c->failed |= c->at != c->table->count; // a value is missing
    c->at = 0;
    ++c->rows;
}

// ---- the block

// Dictionaries: the version of the form; the width of the numbers, and flags: the dictionary is in
// the block, and its texts are all that there are.
enum { WORDS_VERSION = 1, WORDS_OWN = 1 << 9, WORDS_NEW = 1 << 10 };

static bool add_little(struct wfi_block *b, uint64_t value, unsigned bytes) {
    uint8_t *to = room(b, bytes);
    if (to) put_little(to, value);
    return to != NULL;
}

static bool add_words(struct wfi_block *b, const struct wfi_column *of, uint64_t rows) {
    const struct wfi_words *w = &of->words;
    const unsigned width = w->count <= UINT8_MAX ? 0 : w->count <= UINT16_MAX ? 1 : 2;
    bool good = add_little(b, WORDS_VERSION, 8) &&
                add_little(b, WORDS_OWN | WORDS_NEW | width, 8) && add_little(b, w->count, 8) &&
                add_bytes(b, of->bytes, of->len) && add_little(b, rows, 8);
    uint8_t *to = good ? room(b, rows << width) : NULL;
    for (uint64_t row = 0; to && row < rows; ++row)
        put_little(to + (row << width), w->numbers[row]);
    return to != NULL;
}

static bool add_column(struct wfi_block *b, const struct wf_fleet_column *column,
                       const struct wfi_column *of, uint64_t rows) {
    if (!add_text(b, column->name) || !add_text(b, wf_fleet_types[column->type].name)) return false;
    if (!rows) return true;
    if (column->type == WF_FLEET_WORD) return add_words(b, of, rows);
    return add_bytes(b, of->ends, of->ends_len) && add_bytes(b, of->bytes, of->len);
}

bool wfi_columns_block(const struct wfi_columns *c, struct wfi_block *to) {
    to->len = 0;
    bool good = !c->failed && add_varint(to, c->table->count) && add_varint(to, c->rows);
    for (unsigned i = 0; i < c->table->count && good; ++i)
        good = add_column(to, &c->table->columns[i], &c->columns[i], c->rows);
    return good;
}
