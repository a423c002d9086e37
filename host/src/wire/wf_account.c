// SPDX-License-Identifier: MIT
// Missing records. The 8-bit sequence shows a gap at once, but only modulo 256. A SYNC record has
// the exact number of records made, which gives the number missing since the last SYNC:
//
//   made = count - base count;  missing = made - received;  of these the target's lost + refused
//
// A sequence number that is seen again is a repeated record if it equals the earlier one, and a
// late record if it was among the last 32 and missing.

#include <string.h>

#include "core/wfi_session.h"

// Bits of SYNC's at_hole.
enum { AT_HOLE = 1, BEHIND_CUT = 2 };

bool wfi_close_hole(struct wf_session *s, struct wf_loss *loss) {
    memset(loss, 0, sizeof *loss);
    loss->kind = WF_LOSS_HOLE;
    loss->tick_before = s->clock.last;
    if (!s->hole.open) return false;
    loss->offset = s->hole.offset;
    loss->bytes = s->hole.bytes;
    loss->lost = s->hole.lost;
    memcpy(loss->damage, s->hole.damage, sizeof loss->damage);
    memset(&s->hole, 0, sizeof s->hole);
    return true;
}

static void note_sequence(struct wfi_sequence *q, const struct wf_record *r, unsigned gap) {
    q->missing = gap >= 31 ? ~1u : (q->missing << (gap + 1)) | ((1u << gap) - 1) << 1;
    q->last = r->seq;
    q->history[r->seq % WFI_HISTORY] = wfi_signature(r);
    if (gap) q->received = 0;
    if (q->received < WFI_HISTORY) ++q->received;
}

// Applies a complete SYNC. Returns the number of missing records that are not reported yet
// (negative: too many were). *exact: the counts are known since the start or the last SYNC.
static int64_t apply_counts(struct wfi_sequence *q, const struct wf_record *r, uint64_t *given_up,
                            bool *exact) {
    const uint64_t count = r->value[0], lost = r->value[3];
    const uint32_t refused = (uint32_t)r->value[4];
    const bool at_hole = r->value[6] & AT_HOLE;
    int64_t unreported = 0;
    *given_up = 0;
    *exact = false;
    if (count > WFI_COUNT_MAX || lost > WFI_COUNT_MAX) return 0; // damaged, with a good sum
    // The start was not seen, but all records made are accounted for as received or given up.
    if (!q->base_known && count - lost - refused - !at_hole == q->since) q->base_known = true;
    if (q->base_known && count >= q->base_count) {
        uint64_t made = count - q->base_count, received = q->since + (at_hole ? 0 : 1);
        unreported = (int64_t)(made - received - q->since_missing);
        // A SYNC may have waited in the ring while one made later overtook it at a hole.
        if (lost > q->base_lost) *given_up = lost - q->base_lost;
        if (refused - q->base_refused < UINT32_MAX / 2) *given_up += refused - q->base_refused;
    }
    *exact = q->base_known;
    q->base_known = true;
    q->base_count = count;
    if (lost > q->base_lost) q->base_lost = lost;
    if (refused - q->base_refused < UINT32_MAX / 2) q->base_refused = refused;
    q->since = q->since_missing = 0;
    return unreported;
}

static void restart_sequence(struct wfi_sequence *q, uint8_t seq) {
    memset(q, 0, sizeof *q);
    q->started = q->base_known = true;
    q->last = (uint8_t)(seq - 1);
    q->since_missing = (uint8_t)(seq - 1);
}

static bool is_sync(const struct wf_session *s, const struct wf_record *r) {
    return r->row && r->row->effect == WF_EFFECT_SYNC && r->left == 0 && !r->missing && !s->qspy;
}

static bool is_reset(const struct wf_record *r) {
    if (!r->row || r->left || r->missing) return false;
    if (r->row->effect == WF_EFFECT_START) return true;
    return r->row->effect == WF_EFFECT_TARGET_INFO && wfi_is_reset(r);
}

// A SYNC with a higher count than the last one is no copy, even if its checksum is the same.
static bool is_repeated(const struct wf_session *s, const struct wf_record *r, unsigned back) {
    const struct wfi_sequence *q = &s->sequence;
    if (is_sync(s, r) && q->base_known && r->value[0] > q->base_count) return false;
    return back < q->received && q->history[r->seq % WFI_HISTORY] == wfi_signature(r);
}

// Damage before a SYNC is a frame that the target gave up in the middle, if the SYNC reports one.
static void blame_target(struct wf_session *s, const struct wf_record *r) {
    if (!is_sync(s, r) || !(r->value[6] & BEHIND_CUT) || s->hole.bad_sum_end != r->offset) return;
    if (!s->hole.damage[WF_DAMAGE_BAD_SUM]) return;
    --s->hole.damage[WF_DAMAGE_BAD_SUM];
    --s->ledger.damage[WF_DAMAGE_BAD_SUM];
    ++s->hole.damage[WF_DAMAGE_BY_TARGET];
    ++s->ledger.damage[WF_DAMAGE_BY_TARGET];
}

static void count_missing(struct wf_session *s, struct wf_loss *loss) {
    if (loss->given_up > loss->records) loss->given_up = loss->records;
    s->ledger.missing += loss->records;
    s->ledger.given_up += loss->given_up;
    ++s->ledger.holes;
}

// Explains an unexpected sequence number: a restart, a copy, a late record, or a gap.
static void classify_gap(struct wf_session *s, struct wf_record *r, struct wf_loss *loss,
                         unsigned *gap) {
    struct wfi_sequence *q = &s->sequence;
    unsigned back = (uint8_t)(q->last - r->seq);
    if (is_reset(r) && r->seq <= 2) {
        loss->kind = WF_LOSS_RESTART;
        restart_sequence(q, r->seq);
        loss->records = q->since_missing;
        wfi_clock_restart(s);
        *gap = 0;
    } else if (back < WFI_HISTORY && (q->missing >> back & 1) && !is_sync(s, r)) {
        loss->kind = WF_LOSS_LATE;
        q->missing &= ~(1u << back);
        // A record made before the last SYNC is settled: it does not count after it.
        if (back < q->since + q->since_missing) {
            if (q->since_missing) --q->since_missing;
            ++q->since;
        }
        if (s->ledger.missing) --s->ledger.missing;
        ++s->ledger.late;
    } else if (back < WFI_HISTORY && is_repeated(s, r, back)) {
        loss->kind = WF_LOSS_REPEATED;
        loss->bytes += r->raw_len;
        ++s->ledger.repeated;
    } else {
        loss->records = *gap;
    }
}

bool wfi_account(struct wf_session *s, struct wf_record *r, struct wf_loss *loss, bool *drop) {
    struct wfi_sequence *q = &s->sequence;
    unsigned gap = (uint8_t)(r->seq - q->last - 1);
    *drop = false;
    if (wfi_account_usual(s, r)) return false;
    blame_target(s, r);
    bool open = wfi_close_hole(s, loss);
    if (!open) loss->offset = r->offset;
    // A SYNC at a hole may have the number of the record before it: then nothing is missing there.
    if (q->started && r->seq == q->last && is_sync(s, r) && (r->value[6] & AT_HOLE)) gap = 0;
    if (!q->started) {
        // Joined in the middle, unless this is the first record the target made.
        bool from_start = is_reset(r) && r->seq <= 2;
        if (from_start) restart_sequence(q, r->seq);
        q->started = true;
        gap = 0;
        loss->records = q->since_missing;
    } else if (gap) {
        classify_gap(s, r, loss, &gap);
        if (loss->kind == WF_LOSS_LATE) return true;
        if (loss->kind == WF_LOSS_REPEATED) {
            *drop = true;
            return true;
        }
    }
    note_sequence(q, r, gap);
    if (is_sync(s, r)) {
        bool exact;
        uint64_t given_up = 0;
        int64_t unreported = apply_counts(q, r, &given_up, &exact);
        if (exact) {
            if (!gap && !open && unreported > 0 && !(r->value[6] & AT_HOLE))
                loss->kind = WF_LOSS_UNSEEN;
            if (unreported < 0) {
                uint64_t over = (uint64_t)-unreported; // may be of an earlier file
                s->ledger.missing -= over < s->ledger.missing ? over : s->ledger.missing;
                unreported = 0;
            }
            loss->records = (uint64_t)unreported;
            loss->exact = s->ledger.exact = true;
            // The target may report losses that earlier holes could not attribute to it.
            if (given_up > loss->records) s->ledger.given_up += given_up - loss->records;
        } else if (r->value[6] & AT_HOLE) {
            loss->records = ++given_up + gap;
        }
        loss->given_up = given_up;
        loss->core = (uint8_t)r->value[7];
    } else {
        ++q->since;
        q->since_missing += loss->kind == WF_LOSS_RESTART ? 0 : gap;
    }
    if (loss->records || loss->bytes || loss->lost) count_missing(s, loss);
    return open || loss->records || loss->kind == WF_LOSS_RESTART;
}

// ---- packed frames

// Returns the number of the last record modulo 2^32, counting those missing. *known: by a SYNC, or
// an earlier packed frame.
static uint32_t last_number(const struct wfi_sequence *q, bool *known) {
    *known = q->base_known || q->number_known;
    return (q->base_known ? (uint32_t)q->base_count : q->number) +
           (uint32_t)(q->since + q->since_missing);
}

static uint32_t frame_signature(const struct wfi_frame *f) {
    return (uint32_t)f->bytes[f->len - 1] | (uint32_t)f->len << 8;
}

static bool is_repeated_frame(const struct wfi_packed *k, uint32_t number, uint32_t signature) {
    for (unsigned i = 0; i < sizeof k->history / sizeof *k->history; ++i) {
        if (k->history[i].signature == signature && k->history[i].number == number) return true;
    }
    return false;
}

// The records of the frame become the last ones.
static void note_numbers(struct wfi_sequence *q, uint8_t last, unsigned count) {
    q->missing = count >= WFI_HISTORY ? 0 : q->missing << count;
    for (unsigned i = 0; i < count && i < WFI_HISTORY; ++i)
        q->history[(uint8_t)(last - i) % WFI_HISTORY] = 0;
    q->received = q->received + count < WFI_HISTORY ? q->received + count : WFI_HISTORY;
    q->last = last;
    q->since += count;
}

// A frame that was counted as missing before.
static void note_late(struct wf_session *s, unsigned count) {
    struct wfi_sequence *q = &s->sequence;
    const uint64_t missing = q->since_missing < count ? q->since_missing : count;
    q->since_missing -= missing;
    q->since += missing;
    s->ledger.missing -= s->ledger.missing < count ? s->ledger.missing : count;
    s->ledger.late += count;
}

bool wfi_account_packed(struct wf_session *s, const struct wfi_frame *f, uint32_t number,
                        unsigned count, struct wf_loss *loss, bool *drop) {
    struct wfi_sequence *q = &s->sequence;
    struct wfi_packed *k = &s->packed;
    const uint32_t signature = frame_signature(f);
    bool known;
    const uint32_t gap = number - last_number(q, &known) - 1;
    bool open = wfi_close_hole(s, loss);
    if (!open) loss->offset = f->offset;
    const bool again = is_repeated_frame(k, number, signature);
    k->history[k->history_at].number = number;
    k->history[k->history_at].signature = signature;
    k->history_at = (k->history_at + 1) % (sizeof k->history / sizeof *k->history);
    if (known && gap > INT32_MAX) {
        loss->kind = again ? WF_LOSS_REPEATED : WF_LOSS_LATE;
        if (again) {
            loss->bytes += f->raw_len;
            s->ledger.repeated += count;
            *drop = true;
        } else {
            note_late(s, count);
        }
        return true;
    }
    if (known) {
        loss->records = gap;
    } else if (q->started) { // joined in the middle, and no packed frame yet
        loss->records = (uint8_t)(number - q->last - 1);
    }
    q->started = true;
    if (loss->records) k->doubt = true;
    q->since_missing += loss->records;
    if (loss->records) q->received = 0;
    note_numbers(q, (uint8_t)(number + count - 1), count);
    if (!q->base_known) {
        q->number_known = true;
        q->number = number + count - 1 - (uint32_t)(q->since + q->since_missing);
    }
    loss->exact = s->ledger.exact;
    if (loss->records || loss->bytes || loss->lost) count_missing(s, loss);
    return open || loss->records;
}
