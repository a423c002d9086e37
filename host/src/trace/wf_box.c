// SPDX-License-Identifier: MIT
// The block is searched for by its magic. Its contents are used only if its checksum is good and
// all its pointers lie in a ring that is in the image. Addresses are relative to the block's own
// address, which the block contains: so a raw image needs no base.

#include "wfi_box.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_image.h"
#include "wallfly_host/wf_kept_names.h"
#include "wallfly_host/wf_session.h"

static const uint8_t magic[7] = {0xF1, 'W', 'F', 'B', 'O', 'X', '\r'};

// The byte after it. In layout 1 the ring has the frames as on the wire; up to layout 2 they are
// stored up to the end of the ring. Layout 4 has packed frames: the open one, and object numbers.
enum { LAYOUT_FIRST = 1, LAYOUT_LENGTHS = 2, LAYOUT_TURN = 3, LAYOUT_PACKED = 4, LAYOUT_LAST = 4 };

// docs/black-box.md has the layout.
enum {
    AT_LAYOUT = 7,
    AT_POINTER_SIZE = 8,
    AT_BIG_ENDIAN = 9,
    AT_SIZES = 10,
    AT_CORE = 15,
    AT_HZ = 16,
    AT_BUILD_ID = 20,
    AT_CHECK = 24,
    AT_HOLE = 28,
    AT_TAIL = 32, // count, ticks, refused
    AT_LOST = 56,
    AT_LOST_BYTES = 64,
    AT_POINTERS = 88, // self, ring, ring_end, tail, sent, next; turn from layout 3 on
    // After them in layout 4: open, the number of object numbers, their pointers.
    BLOCK_MAX = AT_POINTERS + 7 * 8 + 8,
    OBJECTS_MAX = 254,
    NO_OPEN_FRAME = 0xFFFF,
    RING_MIN = 128,
    GOOD_MAX = 16, // candidates to check
};

enum grade { NONE, BAD_CHECK, A_COPY, BAD_POINTERS, NO_RING, GOOD };

struct block {
    enum grade grade;
    uint64_t at; // its address in the image
    uint8_t bytes[BLOCK_MAX];
    unsigned pointer_size;
    bool big_endian;
    uint64_t self, ring, size, tail, sent, next; // the last three within the ring
    uint64_t turn;                               // end of the last frame before the ring wraps
};

static uint64_t block_number(const struct block *b, unsigned at, unsigned len) {
    uint64_t v = 0;
    for (unsigned i = 0; i < len; ++i) {
        v = v << 8 | b->bytes[at + (b->big_endian ? i : len - 1 - i)];
    }
    return v;
}

static uint64_t mask_of(const struct block *b) {
    return b->pointer_size >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * b->pointer_size) - 1;
}

static uint64_t block_pointer(const struct block *b, unsigned n) {
    return block_number(b, AT_POINTERS + n * b->pointer_size, b->pointer_size);
}

// Translates a pointer of the block to an address in the image.
static uint64_t image_address(const struct block *b, uint64_t pointer) {
    uint64_t mask = mask_of(b), d = (pointer - b->self) & mask;
    if (d > mask >> 1) d |= ~mask;
    return b->at + d;
}

static uint32_t check_bytes(uint32_t check, const uint8_t *p, size_t len) {
    for (; len; --len) check = (check ^ *p++) * UINT32_C(16777619);
    return check;
}

static bool check_is_good(const struct block *b) {
    uint32_t check = check_bytes(UINT32_C(2166136261), b->bytes, AT_CHECK);
    check = check_bytes(check, b->bytes + AT_POINTERS, 3 * b->pointer_size);
    return check == block_number(b, AT_CHECK, 4);
}

static void set_magic(struct block *b, uint8_t layout) {
    if (!layout) return;
    memcpy(b->bytes, magic, sizeof magic);
    b->bytes[AT_LAYOUT] = layout;
}

// Checks a possible block at an address. layout: not 0 if its magic is lost.
static void read_block(const struct wfi_image *image, uint64_t at, uint8_t layout,
                       struct block *b) {
    memset(b, 0, sizeof *b);
    b->at = at;
    b->grade = BAD_CHECK;
    if (!wfi_image_copy(image, at, b->bytes, AT_POINTERS)) return;
    set_magic(b, layout);
    b->pointer_size = b->bytes[AT_POINTER_SIZE];
    b->big_endian = b->bytes[AT_BIG_ENDIAN] != 0;
    if (b->pointer_size != 2 && b->pointer_size != 4 && b->pointer_size != 8) return;
    const unsigned pointers = b->bytes[AT_LAYOUT] >= LAYOUT_TURN ? 7 : 6;
    const unsigned more = b->bytes[AT_LAYOUT] >= LAYOUT_PACKED ? 8 : 0;
    if (!wfi_image_copy(image, at, b->bytes, AT_POINTERS + pointers * b->pointer_size + more))
        return;
    set_magic(b, layout);
    if (!check_is_good(b)) return;
    uint64_t mask = mask_of(b);
    b->self = block_pointer(b, 0);
    b->ring = block_pointer(b, 1);
    b->size = (block_pointer(b, 2) - b->ring) & mask;
    b->tail = (block_pointer(b, 3) - b->ring) & mask;
    b->sent = (block_pointer(b, 4) - b->ring) & mask;
    b->next = (block_pointer(b, 5) - b->ring) & mask;
    const bool turned = pointers == 7 && b->next < b->tail;
    b->turn = turned ? (block_pointer(b, 6) - b->ring) & mask : b->size;
    b->grade = A_COPY;
    if (image->elf && ((at ^ b->self) & mask) != 0) return;
    b->grade = BAD_POINTERS;
    if (b->size < RING_MIN || b->tail >= b->size || b->sent >= b->size || b->next >= b->size ||
        b->turn > b->size || b->turn < b->tail)
        return;
    b->grade = NO_RING;
    if (b->size > image->len || !wfi_image_copy(image, image_address(b, b->ring), NULL, b->size))
        return;
    b->grade = GOOD;
}

struct search {
    const struct wfi_image *image;
    const struct wfi_program *program;
    struct block best, other; // other: as good as the best
    unsigned good;
};

// Returns true if the block is at the program's symbol. For a program that is relocated when
// loaded, only the offset within a page is known.
static bool is_at_symbol(const struct search *s, const struct block *b) {
    const struct wfi_program *p = s->program;
    uint64_t mask = p->moves ? 0xFFF : mask_of(b);
    return ((b->self - p->address) & mask) < p->size;
}

static void take_block(struct search *s, uint64_t at, uint8_t layout) {
    struct block b;
    read_block(s->image, at, layout, &b);
    bool wanted = s->program->has_symbol && b.grade >= BAD_POINTERS && is_at_symbol(s, &b);
    bool had = s->program->has_symbol && s->best.grade >= BAD_POINTERS && is_at_symbol(s, &s->best);
    if (b.grade > s->best.grade || (b.grade == s->best.grade && wanted && !had)) {
        s->good = b.grade == GOOD;
        s->best = b;
    } else if (b.grade == GOOD && wanted == had) {
        s->other = b;
        ++s->good;
    }
}

static void search_all(struct search *s) {
    for (size_t i = 0; i < s->image->count; ++i) {
        const struct wfi_piece *piece = &s->image->pieces[i];
        const uint8_t *from = s->image->bytes + piece->offset, *p = from, *end = from + piece->len;
        while ((size_t)(end - p) > AT_LAYOUT && s->good < GOOD_MAX) {
            p = memchr(p, magic[0], (size_t)(end - p) - AT_LAYOUT);
            if (!p) break;
            if (memcmp(p, magic, sizeof magic) == 0 && p[AT_LAYOUT] >= LAYOUT_FIRST &&
                p[AT_LAYOUT] <= LAYOUT_LAST) {
                take_block(s, piece->address + (uint64_t)(p - from), 0);
            }
            ++p;
        }
    }
}

// Without a magic, a block at the program's symbol is recognized by its checksum and own address.
static void search_at_symbol(struct search *s) {
    const struct wfi_program *p = s->program;
    for (uint64_t i = 0; p->has_symbol && s->image->elf && i < 64 && i < p->size; ++i) {
        for (uint8_t layout = LAYOUT_FIRST; layout <= LAYOUT_LAST; ++layout) {
            struct block b;
            read_block(s->image, p->address + i, layout, &b);
            if (b.grade > BAD_CHECK) take_block(s, p->address + i, layout);
        }
    }
}

__attribute__((format(printf, 2, 3))) static int refuse(struct wf_box *box, const char *format,
                                                        ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(box->problem, sizeof box->problem, format, list);
    va_end(list);
    return WF_ERR_BAD_BOX;
}

static int refuse_none(const struct search *s, struct wf_box *box) {
    const struct wfi_program *p = s->program;
    if (p->has_symbol && s->image->elf) {
        box->offset = wfi_image_offset(s->image, p->address);
        return refuse(box,
                      "no black box where the program has it (0x%" PRIx64 "): the recorder was not "
                      "started yet, or WF_CFG_BOX is not 1, or it is another program",
                      p->address);
    }
    return refuse(box,
                  "no black box in %zu bytes: WF_CFG_BOX must be 1, the recorder started, and "
                  "the memory of `wfi` in the image",
                  s->image->len);
}

static int refuse_best(const struct search *s, struct wf_box *box) {
    const struct block *b = &s->best;
    switch (b->grade) {
    case NONE: return refuse_none(s, box);
    case BAD_CHECK:
        return refuse(box, "a black box with a wrong checksum: it was overwritten, or the reset "
                           "came while the recorder started");
    case A_COPY:
        return refuse(box,
                      "only a copy of the black box, which lay at 0x%" PRIx64
                      ": the memory there is not in the image",
                      b->self);
    case BAD_POINTERS:
        return refuse(box, "the black box was overwritten: its pointers leave its ring");
    default:
        return refuse(box,
                      "the ring (0x%" PRIx64 ", %" PRIu64 " bytes) is not all in the image; the "
                      "memory from there on must be too",
                      b->ring, b->size);
    }
}

// Checks that the block fits the given program.
static int check_program(const struct search *s, struct wf_box *box) {
    const struct wfi_program *p = s->program;
    const struct block *b = &s->best;
    bool fits = p->bits == 64 ? b->pointer_size == 8 : b->pointer_size <= 4;
    if (!p->elf) return WF_OK;
    if (!fits || p->big_endian != b->big_endian) {
        return refuse(box,
                      "the program is for a %u-bit %s-endian CPU, the black box of one with "
                      "%u-byte pointers, %s-endian; give the program that ran",
                      p->bits, p->big_endian ? "big" : "little", b->pointer_size,
                      b->big_endian ? "big" : "little");
    }
    if (p->has_symbol && !is_at_symbol(s, b)) {
        return refuse(box,
                      "the black box lay at 0x%" PRIx64 ", but the program has it at 0x%" PRIx64
                      "; give the program that ran",
                      b->self, p->address);
    }
    return WF_OK;
}

static unsigned at_packed(const struct block *b) { return AT_POINTERS + 7 * b->pointer_size; }

// Copies the object numbers as the bytes of a record 99. An unused one has all bits set.
static bool read_numbers(const struct wfi_image *image, const struct block *b,
                         struct wfi_box_ring *of) {
    const uint64_t count = block_number(b, at_packed(b) + 4, 4);
    const unsigned size = of->sizes[3] & 15; // of an object on the wire
    if (count > OBJECTS_MAX || !size || size > 8) return true;
    of->numbers = malloc(OBJECTS_MAX * (1 + 8));
    if (!of->numbers) return false;
    for (unsigned i = 0; i < count; ++i) {
        uint8_t bytes[8];
        uint64_t pointer = 0;
        if (!wfi_image_copy(image, b->at + at_packed(b) + 8 + i * b->pointer_size, bytes,
                            b->pointer_size))
            return true;
        for (unsigned n = 0; n < b->pointer_size; ++n)
            pointer = pointer << 8 | bytes[b->big_endian ? n : b->pointer_size - 1 - n];
        if (pointer == mask_of(b)) continue;
        of->numbers[of->numbers_len++] = (uint8_t)(i + 1);
        for (unsigned n = 0; n < size; ++n, pointer >>= 8)
            of->numbers[of->numbers_len++] = (uint8_t)pointer;
    }
    return true;
}

// Copies the frame that was open, without a checksum and the number of its events.
static bool read_open(const struct wfi_image *image, const struct block *b,
                      struct wfi_box_ring *of) {
    const uint64_t open = block_number(b, at_packed(b), 4), len = open & 0xFFFF;
    if (len == NO_OPEN_FRAME || len < 1 || open >> 16 > UINT8_MAX || b->next + len > b->size)
        return true;
    of->open_events = (uint8_t)(open >> 16);
    of->open_len = len;
    of->open = malloc(len + 1);
    return of->open && wfi_image_copy(image, image_address(b, b->ring) + b->next, of->open, len);
}

// Copies the frames out of the ring.
static int read_ring(const struct wfi_image *image, const struct block *b, struct wf_box *box) {
    uint64_t len = b->next >= b->tail ? b->next - b->tail : b->turn - b->tail + b->next;
    uint64_t ring = image_address(b, b->ring), first_len = b->turn - b->tail;
    uint8_t *frames = malloc(len + 1);
    if (!frames) return WF_ERR_NOMEM;
    if (first_len > len) first_len = len;
    if (!wfi_image_copy(image, ring + b->tail, frames, first_len) ||
        !wfi_image_copy(image, ring, frames + first_len, len - first_len)) {
        free(frames);
        return refuse(box, "the ring is not all in the image");
    }
    struct wfi_box_ring of = {
        .frames = frames,
        .len = len,
        .lengths = b->bytes[AT_LAYOUT] >= LAYOUT_LENGTHS,
        .copied = b->tail != b->sent,
        .tail = {block_number(b, AT_TAIL, 8), block_number(b, AT_TAIL + 8, 8),
                 block_number(b, AT_TAIL + 16, 8), b->bytes[AT_HOLE] != 0},
        .lost = block_number(b, AT_LOST, 8),
        .lost_bytes = block_number(b, AT_LOST_BYTES, 8),
        .hz = (uint32_t)block_number(b, AT_HZ, 4),
        .build_id = (uint32_t)block_number(b, AT_BUILD_ID, 4),
        .core = b->bytes[AT_CORE],
    };
    memcpy(of.sizes, b->bytes + AT_SIZES, sizeof of.sizes);
    bool good = true;
    if (b->bytes[AT_LAYOUT] >= LAYOUT_PACKED)
        good = read_numbers(image, b, &of) && read_open(image, b, &of);
    good = good && wfi_box_stream(&of, box);
    free(frames);
    free(of.numbers);
    free(of.open);
    box->hz = of.hz;
    box->build_id = of.build_id;
    memcpy(box->sizes, of.sizes, sizeof box->sizes);
    return good ? WF_OK : WF_ERR_NOMEM;
}

static int read_image(const struct wfi_image *image, const struct wfi_program *program,
                      struct wf_box *box) {
    struct search s = {.image = image, .program = program};
    search_all(&s);
    if (s.best.grade < GOOD) search_at_symbol(&s);
    if (s.best.grade != NONE) box->offset = wfi_image_offset(image, s.best.at);
    box->address = s.best.self;
    if (s.best.grade != GOOD) return refuse_best(&s, box);
    int err = check_program(&s, box);
    if (err != WF_OK) return err;
    if (s.good > 1) {
        return refuse(box,
                      "several black boxes, this one of address 0x%" PRIx64 " and one at %" PRIu64
                      " of address 0x%" PRIx64 "; the program's ELF file selects the right one",
                      s.best.self, wfi_image_offset(image, s.other.at), s.other.self);
    }
    return read_ring(image, &s.best, box);
}

int wf_box_read(const uint8_t *bytes, size_t len, const uint8_t *program_bytes, size_t program_len,
                struct wf_box *box) {
    struct wfi_image image;
    struct wfi_program program = {.elf = false};
    memset(box, 0, sizeof *box);
    if (program_bytes) wfi_program_read(&program, program_bytes, program_len, "wfi");
    if (program_bytes && !program.elf) return refuse(box, "the program is not an ELF file");
    int err = WF_ERR_NOMEM;
    if (wfi_image_open(&image, bytes, len)) err = read_image(&image, &program, box);
    wfi_image_close(&image);
    return err;
}

// Names announced later are in the stream.
int wf_box_learn(const struct wf_box *box, const uint8_t *image, size_t len, struct wf_session *s) {
    struct wf_kept_names names;
    uint8_t sync[WF_KEPT_SYNC_LEN];
    wf_kept_names_sync(box->sizes, box->hz, box->build_id, sync);
    wf_session_learn(s, WF_KEPT_SYNC_ID, sync, sizeof sync);
    if (!box->before) return WF_OK;
    int err = wf_kept_names_read(image, len, false, box->build_id, &names);
    for (size_t i = 0; i < names.count && names.names[i].since <= box->before; ++i) {
        const struct wf_kept_name *n = &names.names[i];
        wf_session_learn(s, n->id, n->payload, n->len);
    }
    wf_kept_names_free(&names);
    return err;
}

void wf_box_free(struct wf_box *box) {
    free(box->stream);
    box->stream = NULL;
}
