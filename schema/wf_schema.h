// SPDX-License-Identifier: MIT
// The record table: every record of the wire protocol, one row each. Data only, no code. Target,
// host, printers, docs/records.md and `wallfly schema` are all made from these lists; a record's
// number is defined only here. Numbers are never reused; a changed layout is a new row.
#ifndef WF_SCHEMA_H
#define WF_SCHEMA_H

// clang-format off

// ---------------------------------------------------------------------------------------------
// Field types: the form of a field on the wire. All integers are little-endian.
// T(type, letter, bytes, sentence): with a letter, QSPY's option letter, the length is one of the
// target's configured sizes, and `bytes` is its default. Letter 0: the length is always `bytes`;
// bytes 0: the length is in the data.
#define WF_TYPES(T) \
    T(TIME,  'T', 4, "time stamp") \
    T(OBJ,   'O', 4, "object pointer") \
    T(FUN,   'F', 4, "function pointer") \
    T(SIG,   'S', 2, "signal") \
    T(EVS,   'E', 2, "event size") \
    T(EQC,   'Q', 1, "event-queue counter") \
    T(MPC,   'P', 2, "memory-pool counter") \
    T(MPS,   'B', 2, "memory-pool block size") \
    T(TEC,   'C', 4, "time-event counter") \
    T(WHICH,  0,  1, "unsigned, 8 bits: which of the rows of this number it is") \
    T(CORE,   0,  1, "number of the core, which the recorder fills in; the last field; not in slots, which have it") \
    T(U8,     0,  1, "unsigned, 8 bits") \
    T(U16,    0,  2, "unsigned, 16 bits") \
    T(U32,    0,  4, "unsigned, 32 bits") \
    T(U64,    0,  8, "unsigned, 64 bits") \
    T(BUILD,  0,  6, "build time: second, minute, hour, day, month, year - 2000") \
    T(STR,    0,  0, "characters up to and including a zero") \
    T(ITEMS,  0,  0, "NUM items of SIZE bytes each (earlier fields)") \
    T(ELEMS,  0,  0, "application elements up to the end of the record")

// The configured sizes as in TARGET_INFO, SYNC, the black box and slots: two to a byte, in the low
// and in the high four bits; in slots also as letters in this order.
// P(low type, its letter, bytes in the target, high type, its letter, bytes); the last byte has
// one.
#define WF_SIZES(P) \
    P(SIG,  'S', WF_CFG_SIG_SIZE,       EVS, 'E', WF_CFG_EVT_SIZE) \
    P(EQC,  'Q', WF_CFG_QUEUE_CTR_SIZE, TEC, 'C', WF_CFG_TIMEEVT_CTR_SIZE) \
    P(MPS,  'B', WF_CFG_POOL_BLK_SIZE,  MPC, 'P', WF_CFG_POOL_CTR_SIZE) \
    P(OBJ,  'O', WF_CFG_OBJ_SIZE,       FUN, 'F', WF_CFG_FUN_SIZE) \
    P(TIME, 'T', WF_CFG_TIME_SIZE,      END,  0,  0)

// Field kinds: the meaning of a value. Printers, filters and the model use them.
#define WF_KINDS(K) \
    K(PLAIN,     "a number") \
    K(STAMP,     "target time in ticks, wraps at its size") \
    K(OBJECT,    "the object concerned: active object, state machine, queue, pool, semaphore, mutex") \
    K(SENDER,    "object that caused it") \
    K(QUEUE,     "a second queue") \
    K(TIMER,     "time event") \
    K(STATE,     "state-handler function; of two the first is the source") \
    K(FUNCTION,  "function") \
    K(SIGNAL,    "signal, named for the record's object") \
    K(SIGNAL_ANY,"signal, named without regard to an object") \
    K(POOL_ID,   "event pool number, 0 for a static event") \
    K(REFS,      "reference count") \
    K(LEVEL,     "entries free") \
    K(LOW,       "fewest entries or bytes ever free, or the requested margin") \
    K(BYTES,     "length in bytes") \
    K(TICKS,     "clock ticks") \
    K(RATE,      "tick rate") \
    K(PRIO,      "priority or thread") \
    K(NESTING,   "nesting depth") \
    K(FLAGS,     "bits") \
    K(NAME,      "a name or text") \
    K(COMMAND,   "number of a command to the target") \
    K(STATUS,    "command acknowledged, or with bit 7 an error") \
    K(SELECT,    "which of the rows of this number applies") \
    K(SIZE,      "bytes of an item") \
    K(NUM,       "number of items") \
    K(DATA,      "raw items") \
    K(GROUP_ID,  "enumeration group 0..7") \
    K(VALUE,     "value of an enumeration") \
    K(RESET,     "not 0: the target has just been reset") \
    K(VERSION,   "QS version; bit 15: big-endian target") \
    K(RELEASE,   "inverted (date YYMMDD * 10000 + QS version)") \
    K(SIZES,     "two sizes, a nibble each") \
    K(BUILT,     "build time of the target") \
    K(COUNT,     "records made since the start, 64 bits") \
    K(LOST,      "records lost in the target since the start: overwritten or refused") \
    K(HZ,        "ticks a second, 0 if unknown") \
    K(TICK64,    "target time in ticks, never wraps") \
    K(CORE,      "core number") \
    K(BUILD_ID,  "number that identifies a build of the target, 0 if unknown") \
    K(TASK,      "task by its control block; 0: idle, or one that is not traced") \
    K(ACTOR,     "the acting task; 0: an interrupt, or the start-up before the scheduler runs") \
    K(PRIORITY,  "priority as the RTOS numbers it, signed, 16 bits; -32768 if unknown") \
    K(REASON,    "why the previous task left the CPU") \
    K(IRQ,       "interrupt number, 65535 if unknown") \
    K(DEPTH,     "entries in use, or the count of a semaphore") \
    K(ADDRESS,   "address of a block of memory") \
    K(TEXT,      "address of a constant text, which is in the program or the object dictionary") \
    K(SIGNED,    "a number, signed, 32 bits") \
    K(CAPACITY,  "bytes in all, 0 if unknown")

// Groups: filters, colours and `--only` use them. G(name, sentence)
// Codes of QP's groups in commands and in wf_filter(): 0xF1 and up, in this order, then
// WF_USER_GROUPS; wallfly's own groups follow from 0x100. Groups between them cannot be switched
// off and have no code.
#define WF_QP_GROUPS(G) \
    G(SM,   "state machines") \
    G(AO,   "active objects") \
    G(EQ,   "raw event queues") \
    G(MP,   "memory pools") \
    G(TE,   "time events") \
    G(QF,   "framework: events, publishing, ticks, interrupts, critical sections") \
    G(SC,   "scheduler") \
    G(SEM,  "semaphores") \
    G(MTX,  "mutexes")
#define WF_OWN_GROUPS(G) \
    G(WF,   "wallfly's own: synchronisation, loss, names of interrupts; always on") \
    G(TASK, "tasks of an RTOS: life, ready, switch") \
    G(ISR,  "interrupts of an RTOS") \
    G(MUT,  "mutexes of an RTOS") \
    G(SEMA, "semaphores of an RTOS") \
    G(QUE,  "queues, mailboxes, pipes of an RTOS") \
    G(EVT,  "event groups, flags, conditions of an RTOS") \
    G(TMR,  "timers of an RTOS") \
    G(HEAP, "memory of an RTOS: heaps, pools") \
    G(NOTE, "spans, counters, log messages")
#define WF_GROUPS(G) \
    WF_QP_GROUPS(G) \
    G(USER, "application records") \
    G(INFO, "target information and start; always on") \
    G(DICT, "dictionaries; always on") \
    G(TEST, "tests and answers to commands; always on") \
    G(FAIL, "assertions; always on") \
    WF_OWN_GROUPS(G) \
    G(NONE, "reserved")

// Effects: how a record changes the host's model of the target. Host code uses them. Those up to
// NAME_ENUM change how later records are decoded.
#define WF_EFFECTS(E) \
    E(NONE) E(START) E(TARGET_INFO) E(RUN) E(SYNC) \
    E(TASK_CREATE) E(TASK_DELETE) E(OBJECT_CREATE) E(OBJECT_DELETE) \
    E(NAME_SIGNAL) E(NAME_OBJECT) E(NAME_FUNCTION) E(NAME_USER) E(NAME_IRQ) E(NAME_ENUM) \
    E(ENTER) E(EXIT) E(INIT) E(INIT_DONE) E(INTERNAL) E(TRANSITION) E(IGNORE) E(DISPATCH) \
    E(UNHANDLED) E(DEFER) E(RECALL) E(RECALL_FAIL) E(SUBSCRIBE) E(UNSUBSCRIBE) \
    E(POST) E(POST_LIFO) E(POST_FAIL) E(GET) E(GET_LAST) E(PUBLISH) \
    E(QUEUE_POST) E(QUEUE_POST_LIFO) E(QUEUE_POST_FAIL) E(QUEUE_GET) E(QUEUE_GET_LAST) \
    E(POOL_GET) E(POOL_PUT) E(POOL_FAIL) E(NEW) E(NEW_FAIL) E(NEW_REF) E(DELETE_REF) E(GC) E(GC_TRY) \
    E(TICK) E(TIMER_ARM) E(TIMER_DISARM) E(TIMER_REARM) E(TIMER_POST) \
    E(CRIT_ENTER) E(CRIT_EXIT) E(ISR_ENTER) E(ISR_EXIT) \
    E(PREEMPT) E(RESTORE) E(SCHED_LOCK) E(SCHED_UNLOCK) E(SCHED_NEXT) E(SCHED_IDLE) \
    E(SEM_TAKE) E(SEM_BLOCK) E(SEM_SIGNAL) E(SEM_BLOCK_FAIL) \
    E(MTX_LOCK) E(MTX_BLOCK) E(MTX_UNLOCK) E(MTX_LOCK_FAIL) E(MTX_BLOCK_FAIL) E(MTX_UNLOCK_FAIL) \
    E(TASK_PRIORITY) E(TASK_STACK) E(TASK_SUSPEND) E(TASK_READY) E(TASK_SWITCH) E(IRQ_ENTER) E(IRQ_EXIT) \
    E(TAKE) E(WAIT) E(TIMEOUT) E(REFUSED) E(GIVE) E(GIVE_WAIT) E(GIVE_REFUSED) E(FLAGS_CLEAR) \
    E(ALARM_START) E(ALARM_STOP) E(ALARM) E(ALLOC) E(ALLOC_FAIL) E(FREE) E(HEAP_LOW) \
    E(SPAN_BEGIN) E(SPAN_END) E(COUNTER) E(LOG) \
    E(ANSWER) E(ASSERTION) E(USER)

// ---------------------------------------------------------------------------------------------
// Layouts: WF_FIELDS_<layout>(F) lists F(field, type, kind) in wire order.
#define WF_FIELDS_nothing(F)
#define WF_FIELDS_state(F)       F(obj, OBJ, OBJECT) F(state, FUN, STATE)
#define WF_FIELDS_state_to(F)    F(obj, OBJ, OBJECT) F(source, FUN, STATE) F(target, FUN, STATE)
#define WF_FIELDS_init_tran(F)   F(time, TIME, STAMP) F(obj, OBJ, OBJECT) F(state, FUN, STATE)
#define WF_FIELDS_handled(F)     F(time, TIME, STAMP) F(sig, SIG, SIGNAL) F(obj, OBJ, OBJECT) \
                                 F(state, FUN, STATE)
#define WF_FIELDS_tran(F)        F(time, TIME, STAMP) F(sig, SIG, SIGNAL) F(obj, OBJ, OBJECT) \
                                 F(source, FUN, STATE) F(target, FUN, STATE)
#define WF_FIELDS_unhandled(F)   F(sig, SIG, SIGNAL) F(obj, OBJ, OBJECT) F(state, FUN, STATE)
#define WF_FIELDS_deferred(F)    F(time, TIME, STAMP) F(obj, OBJ, OBJECT) F(queue, OBJ, QUEUE) \
                                 F(sig, SIG, SIGNAL) F(pool, U8, POOL_ID) F(ref, U8, REFS)
#define WF_FIELDS_subscribe(F)   F(time, TIME, STAMP) F(sig, SIG, SIGNAL) F(obj, OBJ, OBJECT)
#define WF_FIELDS_post(F)        F(time, TIME, STAMP) F(sender, OBJ, SENDER) F(sig, SIG, SIGNAL) \
                                 F(obj, OBJ, OBJECT) F(pool, U8, POOL_ID) F(ref, U8, REFS) \
                                 F(free, EQC, LEVEL) F(min, EQC, LOW)
#define WF_FIELDS_queued(F)      F(time, TIME, STAMP) F(sig, SIG, SIGNAL) F(obj, OBJ, OBJECT) \
                                 F(pool, U8, POOL_ID) F(ref, U8, REFS) \
                                 F(free, EQC, LEVEL) F(min, EQC, LOW)
#define WF_FIELDS_get(F)         F(time, TIME, STAMP) F(sig, SIG, SIGNAL) F(obj, OBJ, OBJECT) \
                                 F(pool, U8, POOL_ID) F(ref, U8, REFS) F(free, EQC, LEVEL)
#define WF_FIELDS_get_last(F)    F(time, TIME, STAMP) F(sig, SIG, SIGNAL) F(obj, OBJ, OBJECT) \
                                 F(pool, U8, POOL_ID) F(ref, U8, REFS)
#define WF_FIELDS_recall_try(F)  F(time, TIME, STAMP) F(obj, OBJ, OBJECT) F(queue, OBJ, QUEUE)
#define WF_FIELDS_new(F)         F(time, TIME, STAMP) F(size, EVS, BYTES) F(sig, SIG, SIGNAL_ANY)
#define WF_FIELDS_pool_get(F)    F(time, TIME, STAMP) F(obj, OBJ, OBJECT) F(free, MPC, LEVEL) \
                                 F(min, MPC, LOW)
#define WF_FIELDS_pool_put(F)    F(time, TIME, STAMP) F(obj, OBJ, OBJECT) F(free, MPC, LEVEL)
#define WF_FIELDS_publish(F)     F(time, TIME, STAMP) F(sender, OBJ, SENDER) F(sig, SIG, SIGNAL_ANY) \
                                 F(pool, U8, POOL_ID) F(ref, U8, REFS)
#define WF_FIELDS_event(F)       F(time, TIME, STAMP) F(sig, SIG, SIGNAL_ANY) F(pool, U8, POOL_ID) \
                                 F(ref, U8, REFS)
#define WF_FIELDS_tick(F)        F(count, TEC, TICKS) F(rate, U8, RATE)
#define WF_FIELDS_timer(F)       F(time, TIME, STAMP) F(timer, OBJ, TIMER) F(obj, OBJ, OBJECT) \
                                 F(ticks, TEC, TICKS) F(interval, TEC, TICKS) F(rate, U8, RATE)
#define WF_FIELDS_timer_auto(F)  F(timer, OBJ, TIMER) F(obj, OBJ, OBJECT) F(rate, U8, RATE)
#define WF_FIELDS_timer_try(F)   F(time, TIME, STAMP) F(timer, OBJ, TIMER) F(obj, OBJ, OBJECT) \
                                 F(rate, U8, RATE)
#define WF_FIELDS_timer_rearm(F) F(time, TIME, STAMP) F(timer, OBJ, TIMER) F(obj, OBJ, OBJECT) \
                                 F(ticks, TEC, TICKS) F(interval, TEC, TICKS) F(rate, U8, RATE) \
                                 F(armed, U8, FLAGS)
#define WF_FIELDS_timer_post(F)  F(time, TIME, STAMP) F(timer, OBJ, TIMER) F(sig, SIG, SIGNAL) \
                                 F(obj, OBJ, OBJECT) F(rate, U8, RATE)
#define WF_FIELDS_crit(F)        F(time, TIME, STAMP) F(nest, U8, NESTING)
#define WF_FIELDS_isr(F)         F(time, TIME, STAMP) F(nest, U8, NESTING) F(prio, U8, PRIO)
#define WF_FIELDS_sched(F)       F(time, TIME, STAMP) F(next, U8, PRIO) F(prev, U8, PRIO)
#define WF_FIELDS_ceiling(F)     F(time, TIME, STAMP) F(prev, U8, PRIO) F(next, U8, PRIO)
#define WF_FIELDS_sched_idle(F)  F(time, TIME, STAMP) F(prev, U8, PRIO)
#define WF_FIELDS_enum_dict(F)   F(value, U8, VALUE) F(group, U8, GROUP_ID) F(name, STR, NAME)
#define WF_FIELDS_probe(F)       F(time, TIME, STAMP) F(fun, FUN, FUNCTION) F(data, U32, PLAIN)
#define WF_FIELDS_sig_dict(F)    F(sig, SIG, VALUE) F(obj, OBJ, VALUE) F(name, STR, NAME)
#define WF_FIELDS_obj_dict(F)    F(obj, OBJ, VALUE) F(name, STR, NAME)
#define WF_FIELDS_fun_dict(F)    F(fun, FUN, VALUE) F(name, STR, NAME)
#define WF_FIELDS_usr_dict(F)    F(rec, U8, VALUE) F(name, STR, NAME)
#define WF_FIELDS_irq_dict(F)    F(irq, U16, VALUE) F(name, STR, NAME)
#define WF_FIELDS_info7(F)       F(reset, U8, RESET) F(version, U16, VERSION) \
                                 F(sig_evt, U8, SIZES) F(queue_timer, U8, SIZES) \
                                 F(block_pool, U8, SIZES) F(obj_fun, U8, SIZES) F(stamp, U8, SIZES) \
                                 F(max_active, U8, PLAIN) F(pools_rates, U8, SIZES) \
                                 F(build, BUILD, BUILT)
#define WF_FIELDS_info8(F)       F(flags, U8, FLAGS) F(release, U32, RELEASE) \
                                 F(sig_evt, U8, SIZES) F(queue_timer, U8, SIZES) \
                                 F(block_pool, U8, SIZES) F(obj_fun, U8, SIZES) F(stamp, U8, SIZES) \
                                 F(max_active, U8, PLAIN) F(pools_rates, U8, SIZES) \
                                 F(build, BUILD, BUILT)
#define WF_FIELDS_done(F)        F(time, TIME, STAMP) F(cmd, U8, COMMAND)
#define WF_FIELDS_rx_status(F)   F(code, U8, STATUS)
#define WF_FIELDS_rx_status_t(F) F(time, TIME, STAMP) F(code, U8, STATUS)
#define WF_FIELDS_query(F)       F(time, TIME, STAMP) F(kind, U8, SELECT) F(obj, OBJ, OBJECT)
#define WF_FIELDS_query_sm(F)    WF_FIELDS_query(F) F(state, FUN, STATE)
#define WF_FIELDS_query_queue(F) WF_FIELDS_query(F) F(free, EQC, LEVEL) F(min, EQC, LOW)
#define WF_FIELDS_query_pool(F)  WF_FIELDS_query(F) F(free, MPC, LEVEL) F(min, MPC, LOW)
#define WF_FIELDS_query_timer(F) F(time, TIME, STAMP) F(kind, U8, SELECT) F(timer, OBJ, TIMER) \
                                 F(obj, OBJ, OBJECT) F(ticks, TEC, TICKS) F(interval, TEC, TICKS) \
                                 F(sig, SIG, SIGNAL) F(flags, U8, FLAGS)
#define WF_FIELDS_peek(F)        F(time, TIME, STAMP) F(offset, U16, PLAIN) F(size, U8, SIZE) \
                                 F(num, U8, NUM) F(data, ITEMS, DATA)
#define WF_FIELDS_assert_fail(F) F(time, TIME, STAMP) F(loc, U16, PLAIN) F(module, STR, NAME)
#define WF_FIELDS_sem(F)         F(time, TIME, STAMP) F(obj, OBJ, OBJECT) F(thread, U8, PRIO) \
                                 F(count, U8, LEVEL)
#define WF_FIELDS_mtx(F)         F(time, TIME, STAMP) F(obj, OBJ, OBJECT) F(holder, U8, PRIO) \
                                 F(nest, U8, NESTING)
#define WF_FIELDS_mtx_block(F)   F(time, TIME, STAMP) F(obj, OBJ, OBJECT) F(holder, U8, PRIO) \
                                 F(thread, U8, PRIO)
#define WF_FIELDS_sync(F)        F(count, U64, COUNT) F(ticks, U64, TICK64) F(hz, U32, HZ) \
                                 F(lost, U64, LOST) F(refused, U32, LOST) F(lost_bytes, U64, BYTES) \
                                 F(at_hole, U8, FLAGS) F(core, U8, CORE) F(build_id, U32, BUILD_ID) \
                                 F(sig_evt, U8, SIZES) F(queue_timer, U8, SIZES) \
                                 F(block_pool, U8, SIZES) F(obj_fun, U8, SIZES) F(stamp, U8, SIZES)
#define WF_FIELDS_task(F)        F(time, TIME, STAMP) F(which, WHICH, SELECT) F(task, OBJ, TASK)
#define WF_FIELDS_task_prio(F)   WF_FIELDS_task(F) F(prio, U16, PRIORITY)
#define WF_FIELDS_task_stack(F)  WF_FIELDS_task(F) F(free, U32, LOW) F(size, U32, CAPACITY)
#define WF_FIELDS_ready(F)       F(time, TIME, STAMP) F(task, OBJ, TASK) F(core, CORE, CORE)
#define WF_FIELDS_switch(F)      F(time, TIME, STAMP) F(task, OBJ, TASK) F(reason, U8, REASON) \
                                 F(core, CORE, CORE)
#define WF_FIELDS_irq(F)         F(time, TIME, STAMP) F(which, WHICH, SELECT) F(irq, U16, IRQ) \
                                 F(nest, U8, NESTING) F(core, CORE, CORE)
#define WF_FIELDS_thing(F)       F(time, TIME, STAMP) F(which, WHICH, SELECT) F(obj, OBJ, OBJECT)
#define WF_FIELDS_thing_by(F)    WF_FIELDS_thing(F) F(task, OBJ, ACTOR)
#define WF_FIELDS_thing_nest(F)  WF_FIELDS_thing_by(F) F(nest, U8, NESTING)
#define WF_FIELDS_thing_count(F) WF_FIELDS_thing_by(F) F(count, U32, DEPTH)
#define WF_FIELDS_thing_size(F)  WF_FIELDS_thing(F) F(count, U32, DEPTH)
#define WF_FIELDS_thing_low(F)   WF_FIELDS_thing(F) F(free, U32, LOW)
#define WF_FIELDS_thing_bits(F)  WF_FIELDS_thing_by(F) F(bits, U32, FLAGS)
#define WF_FIELDS_thing_ticks(F) WF_FIELDS_thing_by(F) F(ticks, U32, TICKS)
#define WF_FIELDS_block(F)       WF_FIELDS_thing_by(F) F(block, OBJ, ADDRESS) F(size, U32, BYTES)
#define WF_FIELDS_no_block(F)    WF_FIELDS_thing_by(F) F(size, U32, BYTES)
#define WF_FIELDS_span(F)        F(time, TIME, STAMP) F(which, WHICH, SELECT) F(task, OBJ, ACTOR) \
                                 F(text, OBJ, TEXT)
#define WF_FIELDS_counter(F)     F(time, TIME, STAMP) F(text, OBJ, TEXT) F(value, U32, SIGNED)
#define WF_FIELDS_packed(F)      F(time, TIME, STAMP) F(number, U32, COUNT) F(count, U8, PLAIN) \
                                 F(bytes, U8, BYTES) F(running, U8, PLAIN) F(events, ELEMS, DATA)
#define WF_FIELDS_objects(F)     F(numbers, ELEMS, DATA)
#define WF_FIELDS_user(F)        F(time, TIME, STAMP) F(elements, ELEMS, DATA)

// SYNC: `count` is the number of this record among all made, so its low byte is the sequence
// number. `lost` records were overwritten in the ring by newer ones, `refused` records found no
// room. Bit 0 of at_hole: the SYNC replaces the last record lost in the hole before it and has the
// number of that record, which is counted in `lost`; without the bit it is an ordinary record. Bit
// 1: the target cut the frame before it (docs/wire-format.md). So without loss on the link:
// records received - SYNCs at holes + lost + refused == count.
// The sizes are those of TARGET_INFO, for a host that has not received it.
// `ticks`: a stamp after it is the smallest 64-bit time >= ticks that ends in the stamp.

// ---------------------------------------------------------------------------------------------
// Records. 84 is free.
//   R(id, record, qs_name, group, layout, since, until, host, effect, qspy, mat, sentence)
//   since, until  QS versions of the target (733 is 7.3.3) that send it in this form. If several
//                 rows have this number, the one with the fitting range, selector or length
//                 applies, else the last one
//   host          BOTH, or OWN: the real QSPY does not know this row; or the value of the SELECT
//                 field for which this row applies, as SEL(n) or, unknown to QSPY, OWN_SEL(n)
//   qspy          the line of QSPY 7.4.1; 0: its "Unknown Rec" line; "": no line
//   mat           its MATLAB line after the number; 0: none
//   sentence      wallfly's own text for the record, without its number
// Braces name a field: {x} as its kind prints, {x:SPEC} with SPEC a printf form (d, 010, 02X), P a
// pointer in full, M a name made valid for MATLAB, R raw: the number, not its name.
// Two objects that QSPY formats into one scratch text are marked {x:S}.
#define WF_EVT  "Evt<Sig={sig},Pool={pool},Ref={ref}>"
#define WF_QUE  "Que<Free={free},Min={min}>"
#define WF_QUEA "Que<Free={free},Mar={min}>"
#define WF_EVT_MAT "{sig} {obj} {pool} {ref}"
#define WF_EV   "pool {pool} ref {ref}"
#define WF_LVL  "{free} free (min {min})"
#define WF_LVLA "{free} free (margin {min})"

#define WF_RECORDS(R) \
    R(0,  empty,          QS_EMPTY,                   INFO, nothing,     0,   9999, BOTH, START, \
      "", 0, "start of the stream") \
    R(1,  state_entry,    QS_QEP_STATE_ENTRY,         SM,   state,       0,   9999, BOTH, ENTER, \
      "===RTC===> St-Entry Obj={obj},State={state}", "{obj} {state}", "{obj} enters {state}") \
    R(2,  state_exit,     QS_QEP_STATE_EXIT,          SM,   state,       0,   9999, BOTH, EXIT, \
      "===RTC===> St-Exit  Obj={obj},State={state}", "{obj} {state}", "{obj} leaves {state}") \
    R(3,  state_init,     QS_QEP_STATE_INIT,          SM,   state_to,    0,   9999, BOTH, INIT, \
      "===RTC===> St-Init  Obj={obj},State={source}->{target}", "{obj} {source} {target}", \
      "{obj} at start: {source} -> {target}") \
    R(4,  init_tran,      QS_QEP_INIT_TRAN,           SM,   init_tran,   0,   9999, BOTH, INIT_DONE, \
      "{time} Init===> Obj={obj},State={state}", "{time} {obj} {state}", "{obj} is set up, in {state}") \
    R(5,  intern_tran,    QS_QEP_INTERN_TRAN,         SM,   handled,     0,   9999, BOTH, INTERNAL, \
      "{time} =>Intern Obj={obj},Sig={sig},State={state}", "{time} {sig} {obj} {state}", \
      "{obj} handles {sig} in {state}") \
    R(6,  tran,           QS_QEP_TRAN,                SM,   tran,        0,   9999, BOTH, TRANSITION, \
      "{time} ===>Tran Obj={obj},Sig={sig},State={source}->{target}", \
      "{time} {sig} {obj} {source} {target}", "{obj} on {sig}: {source} -> {target}") \
    R(7,  ignored,        QS_QEP_IGNORED,             SM,   handled,     0,   9999, BOTH, IGNORE, \
      "{time} =>Ignore Obj={obj},Sig={sig},State={state}", "{time} {sig} {obj} {state}", \
      "{obj} ignores {sig} in {state}") \
    R(8,  dispatch,       QS_QEP_DISPATCH,            SM,   handled,     0,   9999, BOTH, DISPATCH, \
      "{time} Disp===> Obj={obj},Sig={sig},State={state}", "{time} {sig} {obj} {state}", \
      "{obj} gets {sig} in {state}") \
    R(9,  unhandled,      QS_QEP_UNHANDLED,           SM,   unhandled,   0,   9999, BOTH, UNHANDLED, \
      "===RTC===> St-Unhnd Obj={obj},Sig={sig},State={state}", "{sig} {obj} {state}", \
      "{obj} does not handle {sig} in {state}") \
    R(10, active_defer,   QS_QF_ACTIVE_DEFER,         AO,   deferred,    0,   9999, BOTH, DEFER, \
      "{time} AO-Defer Obj={obj:S},Que={queue:S}," WF_EVT, "{time} {obj} {queue} {sig} {pool} {ref}", \
      "{obj} defers {sig} to {queue}, " WF_EV) \
    R(11, active_recall,  QS_QF_ACTIVE_RECALL,        AO,   deferred,    0,   9999, BOTH, RECALL, \
      "{time} AO-RCall Obj={obj:S},Que={queue:S}," WF_EVT, "{time} {obj} {queue} {sig} {pool} {ref}", \
      "{obj} recalls {sig} from {queue}, " WF_EV) \
    R(12, active_subscribe, QS_QF_ACTIVE_SUBSCRIBE,   AO,   subscribe,   0,   9999, BOTH, SUBSCRIBE, \
      "{time} AO-Subsc Obj={obj},Sig={sig}", "{time} {sig} {obj}", "{obj} subscribes to {sig}") \
    R(13, active_unsubscribe, QS_QF_ACTIVE_UNSUBSCRIBE, AO, subscribe,   0,   9999, BOTH, UNSUBSCRIBE, \
      "{time} AO-Unsub Obj={obj},Sig={sig}", "{time} {sig} {obj}", "{obj} unsubscribes from {sig}") \
    R(14, active_post,    QS_QF_ACTIVE_POST,          AO,   post,        0,   9999, BOTH, POST, \
      "{time} AO-Post  Sdr={sender},Obj={obj}," WF_EVT "," WF_QUE, \
      "{time} {sender} {sig} {obj} {pool} {ref} {free} {min}", \
      "{sender} posts {sig} to {obj}, " WF_EV ", " WF_LVL) \
    R(15, active_post_lifo, QS_QF_ACTIVE_POST_LIFO,   AO,   queued,      0,   9999, BOTH, POST_LIFO, \
      "{time} AO-LIFO  Obj={obj}," WF_EVT "," WF_QUE, "{time} " WF_EVT_MAT " {free} {min}", \
      "{obj} posts {sig} to its own front, " WF_EV ", " WF_LVL) \
    R(16, active_get,     QS_QF_ACTIVE_GET,           AO,   get,         0,   9999, BOTH, GET, \
      "{time} AO-Get   Obj={obj}," WF_EVT ",Que<Free={free}>", "{time} " WF_EVT_MAT " {free}", \
      "{obj} takes {sig}, " WF_EV ", {free} free") \
    R(17, active_get_last, QS_QF_ACTIVE_GET_LAST,     AO,   get_last,    0,   9999, BOTH, GET_LAST, \
      "{time} AO-GetL  Obj={obj}," WF_EVT, "{time} " WF_EVT_MAT, \
      "{obj} takes {sig}, its last, " WF_EV) \
    R(18, active_recall_attempt, QS_QF_ACTIVE_RECALL_ATTEMPT, AO, recall_try, 0, 9999, BOTH, RECALL_FAIL, \
      "{time} AO-RCllA Obj={obj:S},Que={queue:S}", "{time} {obj} {queue}", \
      "{obj} finds nothing to recall in {queue}") \
    R(19, equeue_post,    QS_QF_EQUEUE_POST,          EQ,   queued,      0,   9999, BOTH, QUEUE_POST, \
      "{time} EQ-Post  Obj={obj}," WF_EVT "," WF_QUE, "{time} " WF_EVT_MAT " {free} {min}", \
      "{sig} goes into {obj}, " WF_EV ", " WF_LVL) \
    R(20, equeue_post_lifo, QS_QF_EQUEUE_POST_LIFO,   EQ,   queued,      0,   9999, BOTH, QUEUE_POST_LIFO, \
      "{time} EQ-LIFO Obj={obj}," WF_EVT "," WF_QUE, "{time} " WF_EVT_MAT " {free} {min}", \
      "{sig} goes to the front of {obj}, " WF_EV ", " WF_LVL) \
    R(21, equeue_get,     QS_QF_EQUEUE_GET,           EQ,   get,         0,   9999, BOTH, QUEUE_GET, \
      "{time} EQ-Get   Obj={obj}," WF_EVT ",Que<Free={free}>", "{time} " WF_EVT_MAT " {free}", \
      "{sig} comes out of {obj}, " WF_EV ", {free} free") \
    R(22, equeue_get_last, QS_QF_EQUEUE_GET_LAST,     EQ,   get_last,    0,   9999, BOTH, QUEUE_GET_LAST, \
      "{time} EQ-GetL  Obj={obj}," WF_EVT, "{time} " WF_EVT_MAT, \
      "{sig} comes out of {obj}, its last, " WF_EV) \
    R(23, new_attempt,    QS_QF_NEW_ATTEMPT,          QF,   new,         690, 9999, BOTH, NEW_FAIL, \
      "{time} QF-NewA  Sig={sig},Size={size}", "{time} {size} {sig}", \
      "no room for a new {sig} of {size} bytes") \
    R(24, mpool_get,      QS_QF_MPOOL_GET,            MP,   pool_get,    0,   9999, BOTH, POOL_GET, \
      "{time} MP-Get   Obj={obj},Free={free},Min={min}", "{time} {obj} {free} {min}", \
      "block taken from {obj}, " WF_LVL) \
    R(25, mpool_put,      QS_QF_MPOOL_PUT,            MP,   pool_put,    0,   9999, BOTH, POOL_PUT, \
      "{time} MP-Put   Obj={obj},Free={free}", "{time} {obj} {free}", \
      "block given back to {obj}, {free} free") \
    R(26, publish,        QS_QF_PUBLISH,              QF,   publish,     0,   9999, BOTH, PUBLISH, \
      "{time} QF-Pub   Sdr={sender}," WF_EVT, "{time} {sender} {sig} {pool}", \
      "{sender} publishes {sig}, " WF_EV) \
    R(27, new_ref,        QS_QF_NEW_REF,              QF,   event,       0,   9999, BOTH, NEW_REF, \
      "{time} QF-NewRf " WF_EVT, "{time} {sig} {pool} {ref}", "new reference to {sig}, " WF_EV) \
    R(28, new,            QS_QF_NEW,                  QF,   new,         0,   9999, BOTH, NEW, \
      "{time} QF-New   Sig={sig},Size={size}", "{time} {size} {sig}", "new {sig} of {size} bytes") \
    R(29, gc_attempt,     QS_QF_GC_ATTEMPT,           QF,   event,       0,   9999, BOTH, GC_TRY, \
      "{time} QF-gcA   " WF_EVT, "{time} {sig} {pool} {ref}", "{sig} still in use, " WF_EV) \
    R(30, gc,             QS_QF_GC,                   QF,   event,       0,   9999, BOTH, GC, \
      "{time} QF-gc    " WF_EVT, "{time} {sig} {pool} {ref}", "{sig} recycled, " WF_EV) \
    R(31, tick,           QS_QF_TICK,                 QF,   tick,        0,   9999, BOTH, TICK, \
      "           Tick<{rate}>  Ctr={count:010}", "{count}", "clock tick {count} of rate {rate}") \
    R(32, timeevt_arm,    QS_QF_TIMEEVT_ARM,          TE,   timer,       0,   9999, BOTH, TIMER_ARM, \
      "{time} TE{rate}-Arm  Obj={timer},AO={obj},Tim={ticks},Int={interval}", \
      "{time} {timer} {obj} {ticks} {interval}", \
      "{timer} of {obj} armed: {ticks} ticks, interval {interval}, rate {rate}") \
    R(33, timeevt_auto_disarm, QS_QF_TIMEEVT_AUTO_DISARM, TE, timer_auto, 0,  9999, BOTH, TIMER_DISARM, \
      "           TE{rate}-ADis Obj={timer},AO={obj}", "{timer} {obj}", \
      "{timer} of {obj} has run out, rate {rate}") \
    R(34, timeevt_disarm_attempt, QS_QF_TIMEEVT_DISARM_ATTEMPT, TE, timer_try, 0, 9999, BOTH, NONE, \
      "{time} TE{rate}-DisA Obj={timer},AO={obj}", "{time} {timer} {obj}", \
      "{timer} of {obj} was not armed, rate {rate}") \
    R(35, timeevt_disarm, QS_QF_TIMEEVT_DISARM,       TE,   timer,       0,   9999, BOTH, TIMER_DISARM, \
      "{time} TE{rate}-Dis  Obj={timer},AO={obj},Tim={ticks},Int={interval}", \
      "{time} {timer} {obj} {ticks} {interval}", \
      "{timer} of {obj} disarmed with {ticks} ticks to go, interval {interval}, rate {rate}") \
    R(36, timeevt_rearm,  QS_QF_TIMEEVT_REARM,        TE,   timer_rearm, 0,   9999, BOTH, TIMER_REARM, \
      "{time} TE{armed}-Rarm Obj={timer},AO={obj},Tim={ticks},Int={interval},Was={rate}", \
      "{time} {timer} {obj} {ticks} {interval} {rate}", \
      "{timer} of {obj} rearmed: {ticks} ticks, interval {interval}, rate {rate}, was armed {armed}") \
    R(37, timeevt_post,   QS_QF_TIMEEVT_POST,         TE,   timer_post,  0,   9999, BOTH, TIMER_POST, \
      "{time} TE{rate}-Post Obj={timer},Sig={sig},AO={obj}", "{time} {timer} {sig} {obj}", \
      "{timer} posts {sig} to {obj}, rate {rate}") \
    R(38, delete_ref,     QS_QF_DELETE_REF,           QF,   event,       0,   9999, BOTH, DELETE_REF, \
      "{time} QF-DelRf " WF_EVT, "{time} {sig} {pool} {ref}", "reference to {sig} dropped, " WF_EV) \
    R(39, crit_entry,     QS_QF_CRIT_ENTRY,           QF,   crit,        0,   9999, BOTH, CRIT_ENTER, \
      "{time} QF-CritE Nest={nest}", "{time} {nest}", "critical section entered, depth {nest}") \
    R(40, crit_exit,      QS_QF_CRIT_EXIT,            QF,   crit,        0,   9999, BOTH, CRIT_EXIT, \
      "{time} QF-CritX Nest={nest}", "{time} {nest}", "critical section left, depth {nest}") \
    R(41, isr_entry,      QS_QF_ISR_ENTRY,            QF,   isr,         0,   9999, BOTH, ISR_ENTER, \
      "{time} QF-IsrE  Nest={nest},Pri={prio}", "{time} {nest} {prio}", \
      "interrupt entered, depth {nest}, priority {prio}") \
    R(42, isr_exit,       QS_QF_ISR_EXIT,             QF,   isr,         0,   9999, BOTH, ISR_EXIT, \
      "{time} QF-IsrX  Nest={nest},Pri={prio}", "{time} {nest} {prio}", \
      "interrupt left, depth {nest}, priority {prio}") \
    R(43, int_disable,    QS_QF_INT_DISABLE,          QF,   nothing,     0,   9999, BOTH, NONE, \
      0, 0, "interrupts disabled") \
    R(44, int_enable,     QS_QF_INT_ENABLE,           QF,   nothing,     0,   9999, BOTH, NONE, \
      0, 0, "interrupts enabled") \
    R(45, active_post_attempt, QS_QF_ACTIVE_POST_ATTEMPT, AO, post,      0,   9999, BOTH, POST_FAIL, \
      "{time} AO-PostA Sdr={sender},Obj={obj}," WF_EVT "," WF_QUEA, \
      "{time} {sender} {sig} {obj} {pool} {ref} {free} {min}", \
      "{sender} cannot post {sig} to {obj}, " WF_EV ", " WF_LVLA) \
    R(46, equeue_post_attempt, QS_QF_EQUEUE_POST_ATTEMPT, EQ, queued,    0,   9999, BOTH, QUEUE_POST_FAIL, \
      "{time} EQ-PostA Obj={obj}," WF_EVT "," WF_QUEA, "{time} " WF_EVT_MAT " {free} {min}", \
      "no room for {sig} in {obj}, " WF_EV ", " WF_LVLA) \
    R(47, mpool_get_attempt, QS_QF_MPOOL_GET_ATTEMPT, MP,   pool_get,    0,   9999, BOTH, POOL_FAIL, \
      "{time} MP-GetA  Obj={obj},Free={free},Mar={min}", "{time} {obj} {free} {min}", \
      "no block to take from {obj}, " WF_LVLA) \
    R(48, mutex_lock,     QS_MUTEX_LOCK,              SC,   ceiling,     0,   709,  BOTH, SCHED_LOCK, \
      "{time} Mtx-Lock Pro={prev},Ceil={next}", "{time} {prev} {next}", \
      "priority mutex locked, priority {prev} to ceiling {next}") \
    R(48, sched_preempt,  QS_SCHED_PREEMPT,           SC,   sched,       710, 9999, BOTH, PREEMPT, \
      "{time} Sch-Pre  Pri={prev}->{next}", "{time} {prev} {next}", \
      "priority {next} preempts {prev}") \
    R(49, mutex_unlock,   QS_MUTEX_UNLOCK,            SC,   ceiling,     0,   709,  BOTH, SCHED_UNLOCK, \
      "{time} Mtx-Unlk Pro={prev},Ceil={next}", "{time} {prev} {next}", \
      "priority mutex unlocked, priority {prev}, ceiling {next}") \
    R(49, sched_restore,  QS_SCHED_RESTORE,           SC,   sched,       710, 9999, BOTH, RESTORE, \
      "{time} Sch-Rest Pri={prev}->{next}", "{time} {prev} {next}", \
      "priority {next} goes on after {prev}") \
    R(50, sched_lock,     QS_SCHED_LOCK,              SC,   ceiling,     0,   9999, BOTH, SCHED_LOCK, \
      "{time} Sch-Lock Ceil={prev}->{next}", "{time} {prev} {next}", \
      "scheduler locked, ceiling {prev} to {next}") \
    R(51, sched_unlock,   QS_SCHED_UNLOCK,            SC,   ceiling,     0,   9999, BOTH, SCHED_UNLOCK, \
      "{time} Sch-Unlk Ceil={prev}->{next}", "{time} {prev} {next}", \
      "scheduler unlocked, ceiling {prev} to {next}") \
    R(52, sched_next,     QS_SCHED_NEXT,              SC,   sched,       0,   9999, BOTH, SCHED_NEXT, \
      "{time} Sch-Next Pri={prev}->{next}", "{time} {next} {prev}", \
      "priority {next} runs after {prev}") \
    R(53, sched_idle,     QS_SCHED_IDLE,              SC,   sched_idle,  0,   9999, BOTH, SCHED_IDLE, \
      "{time} Sch-Idle Pri={prev}->0", "{time} {prev}", "idle after priority {prev}") \
    R(54, sched_resume,   QS_SCHED_RESUME,            SC,   sched,       0,   719,  OWN,  SCHED_NEXT, \
      0, 0, "priority {next} goes on after {prev}") \
    R(54, enum_dict,      QS_ENUM_DICT,               DICT, enum_dict,   720, 9999, BOTH, NAME_ENUM, \
      "           Enum-Dic {value:03},Grp={group}->{name}", 0, "enum {value} of group {group} is {name}") \
    R(55, tran_hist,      QS_QEP_TRAN_HIST,           SM,   state_to,    0,   9999, BOTH, TRANSITION, \
      "===RTC===> St-Hist  Obj={obj},State={source}->{target}", "{obj} {source} {target}", \
      "{obj} by history of {source} to {target}") \
    R(56, tran_ep,        QS_QEP_TRAN_EP,             SM,   state_to,    0,   799,  BOTH, TRANSITION, \
      "===RTC===> St-EP    Obj={obj},State={source}->{target}", "{obj} {source} {target}", \
      "{obj} by entry point of {source} to {target}") \
    R(57, tran_xp,        QS_QEP_TRAN_XP,             SM,   state_to,    0,   799,  BOTH, TRANSITION, \
      "===RTC===> St-XP    Obj={obj},State={source}->{target}", "{obj} {source} {target}", \
      "{obj} by exit point of {source} to {target}") \
    R(58, test_paused,    QS_TEST_PAUSED,             TEST, nothing,     0,   9999, BOTH, ANSWER, \
      "           TstPause", 0, "test paused") \
    R(59, test_probe_get, QS_TEST_PROBE_GET,          TEST, probe,       0,   9999, BOTH, ANSWER, \
      "{time} TstProbe Fun={fun},Data={data:d}", 0, "probe of {fun} gives {data:d}") \
    R(60, sig_dict,       QS_SIG_DICT,                DICT, sig_dict,    0,   9999, BOTH, NAME_SIGNAL, \
      "           Sig-Dict {sig:08d},Obj=0x{obj:P}->{name}", "{name:M}=[{sig} {obj:R}];", \
      "signal {sig} of 0x{obj:P} is {name}") \
    R(61, obj_dict,       QS_OBJ_DICT,                DICT, obj_dict,    0,   9999, BOTH, NAME_OBJECT, \
      "           Obj-Dict 0x{obj:P}->{name}", "{name:M}={obj:R};", "object 0x{obj:P} is {name}") \
    R(62, fun_dict,       QS_FUN_DICT,                DICT, fun_dict,    0,   9999, BOTH, NAME_FUNCTION, \
      "           Fun-Dict 0x{fun:P}->{name}", "{name:M}={fun:R};", "function 0x{fun:P} is {name}") \
    R(63, usr_dict,       QS_USR_DICT,                DICT, usr_dict,    0,   9999, BOTH, NAME_USER, \
      "           Usr-Dict {rec:08d}->{name}", 0, "application record {rec} is {name}") \
    R(64, target_info,    QS_TARGET_INFO,             INFO, info7,       0,   799,  BOTH, TARGET_INFO, \
      "           Trg-{reset} QP-Ver={version:R},Build={build}", 0, \
      "{reset}: QS {version}, built {build}") \
    R(64, target_info8,   QS_TARGET_INFO,             INFO, info8,       800, 9999, OWN,  TARGET_INFO, \
      0, 0, "{flags:02X}: QS {release}, built {build}") \
    R(65, target_done,    QS_TARGET_DONE,             TEST, done,        0,   9999, BOTH, ANSWER, \
      "{time} Trg-Done {cmd}", 0, "{cmd} done") \
    R(66, rx_status_time, QS_RX_STATUS,               TEST, rx_status_t, 0,   579,  BOTH, ANSWER, \
      "{time} Trg-{code}", 0, "{code}") \
    R(66, rx_status,      QS_RX_STATUS,               TEST, rx_status,   580, 9999, BOTH, ANSWER, \
      "           Trg-{code}", 0, "{code}") \
    R(67, query_sm,       QS_QUERY_DATA,              TEST, query_sm,    0,   9999, SEL(0), ANSWER, \
      "{time} Query-SM Obj={obj},State={state}", 0, "{obj} is in {state}") \
    R(67, query_ao_queue, QS_QUERY_DATA,              TEST, query_queue, 0,   689,  SEL(1), ANSWER, \
      "{time} Query-AO Obj={obj},Que<Free={free},Min={min}>", 0, "{obj} has " WF_LVL) \
    R(67, query_ao,       QS_QUERY_DATA,              TEST, query_sm,    690, 9999, SEL(1), ANSWER, \
      "{time} Query-AO Obj={obj},State={state}", 0, "{obj} is in {state}") \
    R(67, query_mp,       QS_QUERY_DATA,              TEST, query_pool,  0,   9999, SEL(2), ANSWER, \
      "{time} Query-MP Obj={obj},Free={free},Min={min}", 0, "{obj} has " WF_LVL) \
    R(67, query_eq,       QS_QUERY_DATA,              TEST, query_queue, 0,   9999, SEL(3), ANSWER, \
      "{time} Query-EQ Obj={obj},Que<Free={free},Min={min}>", 0, "{obj} has " WF_LVL) \
    R(67, query_te,       QS_QUERY_DATA,              TEST, query_timer, 0,   9999, SEL(4), ANSWER, \
      "{time} Query-TE Obj={timer},Rate={flags:LOW},Sig={sig},Tim={ticks},Int={interval},Flags=0x{flags:HIGH}", \
      0, "{timer} will post {sig} to {obj} in {ticks} ticks, interval {interval}, flags 0x{flags:02X}") \
    R(67, query_ap,       QS_QUERY_DATA,              TEST, query,       0,   9999, SEL(5), ANSWER, \
      "{time} Query-AP Obj={obj}", 0, "{obj} is the current application object") \
    R(67, query_sm_ao,    QS_QUERY_DATA,              TEST, query,       0,   9999, SEL(6), ANSWER, \
      "{time} Query-SM_AO Obj={obj}", 0, "{obj} is the current object") \
    R(68, peek_data,      QS_PEEK_DATA,               TEST, peek,        0,   9999, BOTH, ANSWER, \
      "{time} Trg-Peek Offs={offset},Size={size},Num={num},Data=<{data}>", 0, \
      "memory at +{offset}: {data}") \
    R(69, assert_fail,    QS_ASSERT_FAIL,             FAIL, assert_fail, 0,   9999, BOTH, ASSERTION, \
      "{time} =ASSERT= Mod={module},Loc={loc}", "{time} {loc} {module}", \
      "assertion {loc} failed in {module}") \
    R(70, qf_run,         QS_QF_RUN,                  INFO, nothing,     690, 9999, BOTH, RUN, \
      "           QF_RUN", 0, "the framework runs") \
    R(71, sem_take,       QS_SEM_TAKE,                SEM,  sem,         710, 9999, BOTH, SEM_TAKE, \
      "{time} Sem-Take {obj},Thr={thread},Cnt={count}", "{time} {obj} {thread} {count}", \
      "{thread} takes {obj}, count {count}") \
    R(72, sem_block,      QS_SEM_BLOCK,               SEM,  sem,         710, 9999, BOTH, SEM_BLOCK, \
      "{time} Sem-Blk  {obj},Thr={thread},Cnt={count}", "{time} {obj} {thread} {count}", \
      "{thread} waits for {obj}, count {count}") \
    R(73, sem_signal,     QS_SEM_SIGNAL,              SEM,  sem,         710, 9999, BOTH, SEM_SIGNAL, \
      "{time} Sem-Sgnl {obj},Thr={thread},Cnt={count}", "{time} {obj} {thread} {count}", \
      "{thread} signals {obj}, count {count}") \
    R(74, sem_block_attempt, QS_SEM_BLOCK_ATTEMPT,    SEM,  sem,         710, 9999, BOTH, SEM_BLOCK_FAIL, \
      "{time} Sem-BlkA {obj},Thr={thread},Cnt={count}", "{time} {obj} {thread} {count}", \
      "{thread} would wait for {obj}, count {count}") \
    R(75, mtx_lock,       QS_MTX_LOCK,                MTX,  mtx,         710, 9999, BOTH, MTX_LOCK, \
      "{time} Mtx-Lock {obj},Hldr={holder},Nest={nest}", "{time} {obj} {holder} {nest}", \
      "{holder} locks {obj}, depth {nest}") \
    R(76, mtx_block,      QS_MTX_BLOCK,               MTX,  mtx_block,   710, 9999, BOTH, MTX_BLOCK, \
      "{time} Mtx-Blk  {obj},Hldr={holder},Thr={thread}", "{time} {obj} {holder} {thread}", \
      "{thread} waits for {obj}, held by {holder}") \
    R(77, mtx_unlock,     QS_MTX_UNLOCK,              MTX,  mtx,         710, 9999, BOTH, MTX_UNLOCK, \
      "{time} Mtx-Unlk {obj},Hldr={holder},Nest={nest}", "{time} {obj} {holder} {nest}", \
      "{holder} unlocks {obj}, depth {nest}") \
    R(78, mtx_lock_attempt, QS_MTX_LOCK_ATTEMPT,      MTX,  mtx,         710, 9999, BOTH, MTX_LOCK_FAIL, \
      "{time} Mtx-LckA {obj},Hldr={holder},Nest={nest}", "{time} {obj} {holder} {nest}", \
      "{obj} cannot be locked, held by {holder}, depth {nest}") \
    R(79, mtx_block_attempt, QS_MTX_BLOCK_ATTEMPT,    MTX,  mtx_block,   710, 9999, BOTH, MTX_BLOCK_FAIL, \
      "{time} Mtx-BlkA {obj},Hldr={holder},Thr={thread}", "{time} {obj} {holder} {thread}", \
      "{thread} would wait for {obj}, held by {holder}") \
    R(80, mtx_unlock_attempt, QS_MTX_UNLOCK_ATTEMPT,  MTX,  mtx,         710, 9999, BOTH, MTX_UNLOCK_FAIL, \
      "{time} Mtx-UlkA {obj},Hldr={holder},Nest={nest}", "{time} {obj} {holder} {nest}", \
      "{obj} cannot be unlocked, held by {holder}, depth {nest}") \
    R(81, active_defer_attempt, QS_QF_ACTIVE_DEFER_ATTEMPT, AO, deferred, 804, 9999, OWN, NONE, \
      0, 0, "{obj} cannot defer {sig} to {queue}, " WF_EV) \
    R(82, sync,           WF_SYNC,                    WF,   sync,        0,   9999, OWN,  SYNC, \
      0, 0, "record {count}, tick {ticks}, {lost} + {refused} given up so far") \
    R(83, irq_dict,             WF_IRQ_DICT,                WF,   irq_dict,    0,   9999, OWN, NAME_IRQ, \
      0, 0, "interrupt {irq} is {name}") \
    R(85, task_create,          WF_TASK_CREATE,             TASK, task_prio,   0,   9999, OWN_SEL(0), TASK_CREATE, \
      0, 0, "{task} is created, priority {prio}") \
    R(85, task_priority,        WF_TASK_PRIORITY,           TASK, task_prio,   0,   9999, OWN_SEL(1), TASK_PRIORITY, \
      0, 0, "{task} has priority {prio} now") \
    R(85, task_suspend,         WF_TASK_SUSPEND,            TASK, task,        0,   9999, OWN_SEL(2), TASK_SUSPEND, \
      0, 0, "{task} is suspended") \
    R(85, task_delete,          WF_TASK_DELETE,             TASK, task,        0,   9999, OWN_SEL(3), TASK_DELETE, \
      0, 0, "{task} is deleted") \
    R(85, task_stack,           WF_TASK_STACK,              TASK, task_stack,  0,   9999, OWN_SEL(4), TASK_STACK, \
      0, 0, "{free} of {size} bytes of the stack of {task} were never used") \
    R(86, task_ready,           WF_TASK_READY,              TASK, ready,       0,   9999, OWN, TASK_READY, \
      0, 0, "{task} is ready") \
    R(87, task_switch,          WF_TASK_SWITCH,             TASK, switch,      0,   9999, OWN, TASK_SWITCH, \
      0, 0, "{task} runs on core {core}, the one before {reason}") \
    R(88, irq_enter,            WF_IRQ_ENTER,               ISR,  irq,         0,   9999, OWN_SEL(0), IRQ_ENTER, \
      0, 0, "interrupt {irq} begins on core {core}, depth {nest}") \
    R(88, irq_exit,             WF_IRQ_EXIT,                ISR,  irq,         0,   9999, OWN_SEL(1), IRQ_EXIT, \
      0, 0, "interrupt {irq} ends on core {core}, depth {nest}") \
    R(89, mutex_create,         WF_MUTEX_CREATE,            MUT,  thing,       0,   9999, OWN_SEL(0), OBJECT_CREATE, \
      0, 0, "mutex {obj} is created") \
    R(89, mutex_take,           WF_MUTEX_TAKE,              MUT,  thing_nest,  0,   9999, OWN_SEL(1), TAKE, \
      0, 0, "{task} takes {obj}, depth {nest}") \
    R(89, mutex_wait,           WF_MUTEX_WAIT,              MUT,  thing_by,    0,   9999, OWN_SEL(2), WAIT, \
      0, 0, "{task} waits for {obj}") \
    R(89, mutex_timeout,        WF_MUTEX_TIMEOUT,           MUT,  thing_by,    0,   9999, OWN_SEL(3), TIMEOUT, \
      0, 0, "{task} no longer waits for {obj}") \
    R(89, mutex_refused,        WF_MUTEX_REFUSED,           MUT,  thing_by,    0,   9999, OWN_SEL(4), REFUSED, \
      0, 0, "{task} does not get {obj}") \
    R(89, mutex_give,           WF_MUTEX_GIVE,              MUT,  thing_nest,  0,   9999, OWN_SEL(5), GIVE, \
      0, 0, "{task} gives {obj}, depth {nest}") \
    R(89, mutex_delete,         WF_MUTEX_DELETE,            MUT,  thing,       0,   9999, OWN_SEL(6), OBJECT_DELETE, \
      0, 0, "{obj} is deleted") \
    R(90, sema_create,          WF_SEMA_CREATE,             SEMA, thing_size,  0,   9999, OWN_SEL(0), OBJECT_CREATE, \
      0, 0, "semaphore {obj} is created, count {count}") \
    R(90, sema_take,            WF_SEMA_TAKE,               SEMA, thing_count, 0,   9999, OWN_SEL(1), TAKE, \
      0, 0, "{task} takes {obj}, count {count}") \
    R(90, sema_wait,            WF_SEMA_WAIT,               SEMA, thing_by,    0,   9999, OWN_SEL(2), WAIT, \
      0, 0, "{task} waits for {obj}") \
    R(90, sema_timeout,         WF_SEMA_TIMEOUT,            SEMA, thing_by,    0,   9999, OWN_SEL(3), TIMEOUT, \
      0, 0, "{task} no longer waits for {obj}") \
    R(90, sema_refused,         WF_SEMA_REFUSED,            SEMA, thing_by,    0,   9999, OWN_SEL(4), REFUSED, \
      0, 0, "{task} does not get {obj}") \
    R(90, sema_give,            WF_SEMA_GIVE,               SEMA, thing_count, 0,   9999, OWN_SEL(5), GIVE, \
      0, 0, "{task} gives {obj}, count {count}") \
    R(90, sema_delete,          WF_SEMA_DELETE,             SEMA, thing,       0,   9999, OWN_SEL(6), OBJECT_DELETE, \
      0, 0, "{obj} is deleted") \
    R(91, queue_create,         WF_QUEUE_CREATE,            QUE,  thing_size,  0,   9999, OWN_SEL(0), OBJECT_CREATE, \
      0, 0, "queue {obj} is created, room for {count}") \
    R(91, queue_receive,        WF_QUEUE_RECEIVE,           QUE,  thing_count, 0,   9999, OWN_SEL(1), TAKE, \
      0, 0, "{task} receives from {obj}, {count} left") \
    R(91, queue_receive_wait,   WF_QUEUE_RECEIVE_WAIT,      QUE,  thing_by,    0,   9999, OWN_SEL(2), WAIT, \
      0, 0, "{task} waits for something in {obj}") \
    R(91, queue_timeout,        WF_QUEUE_TIMEOUT,           QUE,  thing_by,    0,   9999, OWN_SEL(3), TIMEOUT, \
      0, 0, "{task} no longer waits for {obj}") \
    R(91, queue_receive_refused,WF_QUEUE_RECEIVE_REFUSED,   QUE,  thing_by,    0,   9999, OWN_SEL(4), REFUSED, \
      0, 0, "{task} finds {obj} empty") \
    R(91, queue_send,           WF_QUEUE_SEND,              QUE,  thing_count, 0,   9999, OWN_SEL(5), GIVE, \
      0, 0, "{task} sends to {obj}, {count} in it") \
    R(91, queue_delete,         WF_QUEUE_DELETE,            QUE,  thing,       0,   9999, OWN_SEL(6), OBJECT_DELETE, \
      0, 0, "{obj} is deleted") \
    R(91, queue_send_wait,      WF_QUEUE_SEND_WAIT,         QUE,  thing_by,    0,   9999, OWN_SEL(7), GIVE_WAIT, \
      0, 0, "{task} waits for room in {obj}") \
    R(91, queue_send_refused,   WF_QUEUE_SEND_REFUSED,      QUE,  thing_by,    0,   9999, OWN_SEL(8), GIVE_REFUSED, \
      0, 0, "{task} finds {obj} full") \
    R(92, flags_create,         WF_FLAGS_CREATE,            EVT,  thing,       0,   9999, OWN_SEL(0), OBJECT_CREATE, \
      0, 0, "event group {obj} is created") \
    R(92, flags_take,           WF_FLAGS_TAKE,              EVT,  thing_bits,  0,   9999, OWN_SEL(1), TAKE, \
      0, 0, "{task} gets {bits:08X} of {obj}") \
    R(92, flags_wait,           WF_FLAGS_WAIT,              EVT,  thing_bits,  0,   9999, OWN_SEL(2), WAIT, \
      0, 0, "{task} waits for {bits:08X} of {obj}") \
    R(92, flags_timeout,        WF_FLAGS_TIMEOUT,           EVT,  thing_by,    0,   9999, OWN_SEL(3), TIMEOUT, \
      0, 0, "{task} no longer waits for {obj}") \
    R(92, flags_refused,        WF_FLAGS_REFUSED,           EVT,  thing_bits,  0,   9999, OWN_SEL(4), REFUSED, \
      0, 0, "{task} does not find {bits:08X} in {obj}") \
    R(92, flags_give,           WF_FLAGS_GIVE,              EVT,  thing_bits,  0,   9999, OWN_SEL(5), GIVE, \
      0, 0, "{task} sets {bits:08X} in {obj}") \
    R(92, flags_delete,         WF_FLAGS_DELETE,            EVT,  thing,       0,   9999, OWN_SEL(6), OBJECT_DELETE, \
      0, 0, "{obj} is deleted") \
    R(92, flags_clear,          WF_FLAGS_CLEAR,             EVT,  thing_bits,  0,   9999, OWN_SEL(7), FLAGS_CLEAR, \
      0, 0, "{task} clears {bits:08X} in {obj}") \
    R(92, cond_create,          WF_COND_CREATE,             EVT,  thing,       0,   9999, OWN_SEL(8), OBJECT_CREATE, \
      0, 0, "condition {obj} is created") \
    R(92, cond_take,            WF_COND_TAKE,               EVT,  thing_by,    0,   9999, OWN_SEL(9), TAKE, \
      0, 0, "{task} is woken by {obj}") \
    R(92, cond_wait,            WF_COND_WAIT,               EVT,  thing_by,    0,   9999, OWN_SEL(10), WAIT, \
      0, 0, "{task} waits for {obj}") \
    R(92, cond_give,            WF_COND_GIVE,               EVT,  thing_count, 0,   9999, OWN_SEL(11), GIVE, \
      0, 0, "{task} signals {obj}, to wake {count}") \
    R(93, timer_create,         WF_TIMER_CREATE,            TMR,  thing_size,  0,   9999, OWN_SEL(0), OBJECT_CREATE, \
      0, 0, "timer {obj} is created, period {count}") \
    R(93, timer_start,          WF_TIMER_START,             TMR,  thing_ticks, 0,   9999, OWN_SEL(1), ALARM_START, \
      0, 0, "{task} starts {obj}, {ticks} ticks") \
    R(93, timer_stop,           WF_TIMER_STOP,              TMR,  thing_by,    0,   9999, OWN_SEL(2), ALARM_STOP, \
      0, 0, "{task} stops {obj}") \
    R(93, timer_expire,         WF_TIMER_EXPIRE,            TMR,  thing,       0,   9999, OWN_SEL(5), ALARM, \
      0, 0, "{obj} expires") \
    R(93, timer_delete,         WF_TIMER_DELETE,            TMR,  thing,       0,   9999, OWN_SEL(6), OBJECT_DELETE, \
      0, 0, "{obj} is deleted") \
    R(94, heap_create,          WF_HEAP_CREATE,             HEAP, thing_size,  0,   9999, OWN_SEL(0), OBJECT_CREATE, \
      0, 0, "heap {obj} is created, {count} bytes or blocks") \
    R(94, heap_alloc,           WF_HEAP_ALLOC,              HEAP, block,       0,   9999, OWN_SEL(1), ALLOC, \
      0, 0, "{task} takes {size} bytes at 0x{block:P} from {obj}") \
    R(94, heap_wait,            WF_HEAP_WAIT,               HEAP, thing_by,    0,   9999, OWN_SEL(2), WAIT, \
      0, 0, "{task} waits for a block of {obj}") \
    R(94, heap_timeout,         WF_HEAP_TIMEOUT,            HEAP, thing_by,    0,   9999, OWN_SEL(3), TIMEOUT, \
      0, 0, "{task} no longer waits for {obj}") \
    R(94, heap_refused,         WF_HEAP_REFUSED,            HEAP, no_block,    0,   9999, OWN_SEL(4), ALLOC_FAIL, \
      0, 0, "{task} gets no {size} bytes from {obj}") \
    R(94, heap_free,            WF_HEAP_FREE,               HEAP, block,       0,   9999, OWN_SEL(5), FREE, \
      0, 0, "{task} gives {size} bytes at 0x{block:P} back to {obj}") \
    R(94, heap_delete,          WF_HEAP_DELETE,             HEAP, thing,       0,   9999, OWN_SEL(6), OBJECT_DELETE, \
      0, 0, "{obj} is deleted") \
    R(94, heap_low,             WF_HEAP_LOW,                HEAP, thing_low,   0,   9999, OWN_SEL(7), HEAP_LOW, \
      0, 0, "{free} bytes of {obj} were never used") \
    R(95, span_begin,           WF_SPAN_BEGIN,              NOTE, span,        0,   9999, OWN_SEL(0), SPAN_BEGIN, \
      0, 0, "{task} begins {text}") \
    R(95, span_end,             WF_SPAN_END,                NOTE, span,        0,   9999, OWN_SEL(1), SPAN_END, \
      0, 0, "{task} ends {text}") \
    R(96, counter,              WF_COUNTER,                 NOTE, counter,     0,   9999, OWN, COUNTER, \
      0, 0, "{text} is {value}") \
    R(97, log,                  WF_LOG,                     NOTE, user,        0,   9999, OWN, LOG, \
      0, 0, "{elements}") \
    R(98, packed,               WF_PACKED,                  WF,   packed,      0,   9999, OWN, NONE, \
      0, 0, "a frame of {count} records that cannot be decoded") \
    R(99, objects,              WF_OBJECTS,                 WF,   objects,     0,   9999, OWN, NONE, \
      0, 0, "numbers of objects in packed frames")

// RTOS records. `task` is the address of a control block or another number that no other live task
// has; objects likewise. Order matters: a wait comes before the switch that it causes, a give
// before the wake-up that it causes, and a name (obj_dict) after the create. A switch has the task
// that runs from now on, and the reason why the previous task left; if that task waits, its `wait`
// has the object. `nest` of mutexes is the depth after the record: 1 when first taken, 0 when
// released. A take or a timeout may be recorded where the object is passed on or the wait ends,
// before the waiter runs. `count` is the count after the record; for a condition the number of
// tasks it may wake, 4294967295 for all. `bits` are the bits requested, received, set or cleared.
// packed, objects: docs/wire-format.md; the host gives the records of a packed frame.
// span, counter, log: {text} is the name; log is an application record whose first element is an
// object, the address of the format; the others are the arguments of printf.

// Value of fields of kind PRIORITY and IRQ: unknown.
#define WF_PRIO_UNKNOWN (-32767 - 1)
#define WF_IRQ_UNKNOWN  0xFFFFu

// Why a task left the CPU, in task_switch. A(value, name, sentence)
#define WF_REASONS(A) \
    A(0, unknown,   "left") \
    A(1, preempted, "was preempted") \
    A(2, yielded,   "gave way") \
    A(3, sliced,    "had its time slice") \
    A(4, blocked,   "waits") \
    A(5, delayed,   "sleeps") \
    A(6, suspended, "is suspended") \
    A(7, ended,     "ended")

// Names that documents of older targets use for a number. A(id, since, until, qs_name)
#define WF_ALIASES(A) \
    A(14, 0, 689, QS_QF_ACTIVE_POST_FIFO) \
    A(19, 0, 689, QS_QF_EQUEUE_POST_FIFO)

// Application records: everything from the first user number up (100; 70 before QS 6.6).
#define WF_USER_FIRST     100
#define WF_USER_FIRST_OLD 70
#define WF_USER_OLD_UNTIL 659
#define WF_USER_LAST      124

// Switched by filters besides the groups of records above: application records in fives, and QS-IDs
// (the owner of a record) by kind. U(name, first, last)
// I(name, QP_NAME, TARGET_NAME, code, base, first, last, sentence); code: of wf_filter_id() and of
// tests' scripts; base: added to the number of a pool, a queue or an object.
#define WF_USER_GROUPS(U) \
    U(U0, 100, 104) U(U1, 105, 109) U(U2, 110, 114) U(U3, 115, 119) U(U4, 120, 124) \
    U(UA, WF_USER_FIRST, WF_USER_LAST)
#define WF_ID_GROUPS(I) \
    I(ao, AO, AO,    0x80, 0,  1,  64,  "active objects, by priority") \
    I(ep, EP, POOL,  0xC0, 64, 65, 79,  "event pools") \
    I(eq, EQ, QUEUE, 0xD0, 80, 80, 95,  "raw event queues") \
    I(ap, AP, APP,   0xE0, 96, 96, 127, "the application's own")
#define WF_GROUP_CODE_ALL 0xF0 // for records and for QS-IDs

// ---------------------------------------------------------------------------------------------
// Application elements: low nibble of the format byte. E(code, name, bytes, sentence); bytes 0:
// length in the data; 'S' and the like: configured sizes by their letter.
#define WF_ELEMENTS(E) \
    E(0,  i8,   1,   "signed; from QS 7.2 with width 8..15 an enumeration of group width - 8") \
    E(1,  u8,   1,   "unsigned; width 15: hexadecimal") \
    E(2,  i16,  2,   "signed") \
    E(3,  u16,  2,   "unsigned; width 15: hexadecimal") \
    E(4,  i32,  4,   "signed") \
    E(5,  u32,  4,   "unsigned; width 15: hexadecimal") \
    E(6,  f32,  4,   "floating point, width digits after the point") \
    E(7,  f64,  8,   "floating point, width digits after the point") \
    E(8,  str,  0,   "characters up to and including a zero") \
    E(9,  mem,  0,   "a count byte and that many bytes") \
    E(10, sig,  'S', "signal and the object it belongs to, 0 for any") \
    E(11, obj,  'O', "object") \
    E(12, fun,  'F', "function") \
    E(13, i64,  8,   "signed, width doubled") \
    E(14, u64,  8,   "unsigned, width doubled; width 15: hexadecimal") \
    E(15, hex,  4,   "unsigned 32 bits in hexadecimal, width digits (up to QS 6.6)")

// Commands to the target (QS-RX) and their names in replies. C(code, name)
#define WF_COMMANDS(C) \
    C(0, INFO) C(1, COMMAND) C(2, RESET) C(3, TICK) C(4, PEEK) C(5, POKE) C(6, FILL) \
    C(7, TEST_SETUP) C(8, TEST_TEARDOWN) C(9, TEST_PROBE) C(10, GLB_FILTER) C(11, LOC_FILTER) \
    C(12, AO_FILTER) C(13, CURR_OBJ) C(14, TEST_CONTINUE) C(15, QUERY_CURR) C(16, EVENT)

// clang-format on
#endif
