// SPDX-License-Identifier: MIT
// The graph of libbabeltrace2: a source for each trace, a muxer that orders their data streams by
// time, and a sink of our own.

#include "wfb_ctf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the sink

// Takes the next messages. At most a batch of the library is held, so memory stays flat.
static int consume(void *iterator, void *user) {
    struct wfb_ctf *c = user;
    bt_const *messages;
    uint64_t count = 0;
    bool good = true;
    int status = c->bt.bt_message_iterator_next(iterator, &messages, &count);
    if (status != BT_OK) return status;
    for (uint64_t i = 0; i < count; ++i) {
        good = good && wfb_ctf_message(c, messages[i]);
        c->bt.bt_message_put_ref(messages[i]);
    }
    return good && !c->out.no_memory ? BT_OK : BT_MEMORY_ERROR;
}

static void put_end(struct wfb_ctf *c, const char *why) {
    wfb_record_begin(&c->out, WF_EVENTS_END);
    wfb_put_text(&c->out, why, strlen(why));
    wfb_record_end(&c->out);
}

int wfb_ctf_step(struct wfb_ctf *c) {
    int status = c->bt.bt_graph_run_once(c->graph);
    if (status == BT_OK || status == BT_AGAIN) return WF_OK;
    if (c->out.no_memory || status == BT_MEMORY_ERROR) return WF_ERR_NOMEM;
    if (status != BT_END) {
        size_t n = (size_t)snprintf(c->why, sizeof c->why, "babeltrace2: ");
        wfb_babeltrace_error(&c->bt, c->why + n, sizeof c->why - n);
    }
    put_end(c, c->why);
    return c->out.no_memory ? WF_ERR_NOMEM : WF_ERR_STOPPED;
}

// ---- the graph

static int set_bt_error(const struct wfb_ctf *c, const char *folder, struct wf_error *error) {
    char why[160];
    wfb_babeltrace_error(&c->bt, why, sizeof why);
    return wf_error_set(error, WF_ERR_LINK, "%.60s: babeltrace2: %s", folder, why);
}

// Returns the parameters of a source: {"inputs": [folder]}. Returns null when out of memory.
static void *make_inputs(const struct wfb_babeltrace *bt, const char *folder) {
    void *map = bt->bt_value_map_create(), *list = bt->bt_value_array_create();
    bool good = map && list && bt->bt_value_array_append_string_element(list, folder) == BT_OK &&
                bt->bt_value_map_insert_entry(map, "inputs", list) == BT_OK;
    if (list) bt->bt_value_put_ref(list);
    if (good) return map;
    if (map) bt->bt_value_put_ref(map);
    return NULL;
}

// Connects all outputs of a source to the muxer, which has always one free input.
static bool connect_source(const struct wfb_ctf *c, bt_const source, bt_const muxer,
                           uint64_t *inputs) {
    const struct wfb_babeltrace *bt = &c->bt;
    uint64_t count = bt->bt_component_source_get_output_port_count(source);
    for (uint64_t i = 0; i < count; ++i) {
        bt_const from = bt->bt_component_source_borrow_output_port_by_index_const(source, i);
        bt_const to = bt->bt_component_filter_borrow_input_port_by_index_const(muxer, *inputs);
        if (bt->bt_graph_connect_ports(c->graph, from, to, NULL) != BT_OK) return false;
        ++*inputs;
    }
    return true;
}

static int add_sources(struct wfb_ctf *c, bt_const class, bt_const muxer, char *const *folders,
                       unsigned count, struct wf_error *error) {
    const struct wfb_babeltrace *bt = &c->bt;
    uint64_t inputs = 0;
    for (unsigned i = 0; i < count; ++i) {
        bt_const source = NULL;
        void *parameters = make_inputs(bt, folders[i]);
        if (!parameters) return wf_error_code(error, WF_ERR_NOMEM);
        int status = bt->bt_graph_add_source_component(c->graph, class, folders[i], parameters,
                                                       BT_LOG_NONE, &source);
        bt->bt_value_put_ref(parameters);
        if (status != BT_OK || !connect_source(c, source, muxer, &inputs))
            return set_bt_error(c, folders[i], error);
    }
    if (inputs) return WF_OK;
    return wf_error_set(error, WF_ERR_LINK, "%s: has a file metadata, but no streams", folders[0]);
}

static int build_graph(struct wfb_ctf *c, bt_const ctf, bt_const utils, char *const *folders,
                       unsigned count, struct wf_error *error) {
    const struct wfb_babeltrace *bt = &c->bt;
    bt_const muxer = NULL, sink = NULL;
    bt_const source = bt->bt_plugin_borrow_source_component_class_by_name_const(ctf, "fs");
    bt_const mux = bt->bt_plugin_borrow_filter_component_class_by_name_const(utils, "muxer");
    c->graph = bt->bt_graph_create(0);
    if (!c->graph) return wf_error_code(error, WF_ERR_NOMEM);
    if (!source || !mux)
        return wf_error_set(error, WF_ERR_LINK, "libbabeltrace2 has no source.ctf.fs");
    if (bt->bt_graph_add_filter_component(c->graph, mux, "muxer", NULL, BT_LOG_NONE, &muxer) !=
            BT_OK ||
        bt->bt_graph_add_simple_sink_component(c->graph, "wallfly", NULL, consume, NULL, c,
                                               &sink) != BT_OK)
        return set_bt_error(c, folders[0], error);
    int err = add_sources(c, source, muxer, folders, count, error);
    if (err != WF_OK) return err;
    bt_const from = bt->bt_component_filter_borrow_output_port_by_index_const(muxer, 0);
    bt_const to = bt->bt_component_sink_borrow_input_port_by_index_const(sink, 0);
    return bt->bt_graph_connect_ports(c->graph, from, to, NULL) == BT_OK
               ? WF_OK
               : set_bt_error(c, folders[0], error);
}

static bt_const find_plugin(const struct wfb_ctf *c, const char *name) {
    bt_const plugin = NULL;
    // From BABELTRACE_PLUGIN_PATH and the system's folder, not from the user's.
    return c->bt.bt_plugin_find(name, 1, 0, 1, 1, 0, &plugin) == BT_OK ? plugin : NULL;
}

int wfb_ctf_open(struct wfb_ctf *c, char *const *folders, unsigned count, struct wf_error *error) {
    memset(c, 0, sizeof *c);
    int err = wfb_babeltrace_load(&c->bt, error);
    if (err != WF_OK) return err;
    wfb_encoder_open(&c->out);
    bt_const ctf = find_plugin(c, "ctf"), utils = find_plugin(c, "utils");
    if (ctf && utils)
        err = build_graph(c, ctf, utils, folders, count, error);
    else
        err = wf_error_set(error, WF_ERR_LINK,
                           "libbabeltrace2 has no plugins ctf and utils: install libbabeltrace2-0");
    if (ctf) c->bt.bt_plugin_put_ref(ctf);
    if (utils) c->bt.bt_plugin_put_ref(utils);
    if (err != WF_OK) wfb_ctf_close(c);
    return err;
}

void wfb_ctf_close(struct wfb_ctf *c) {
    for (size_t i = 0; i < c->trace_count; ++i) c->bt.bt_trace_put_ref(c->trace[i]);
    if (c->graph) c->bt.bt_graph_put_ref(c->graph);
    wfb_encoder_close(&c->out);
    free(c->streams.slots);
    free(c->classes.slots);
    free(c->stream_classes.slots);
    free(c->traces.slots);
    free(c->stream);
    free(c->event_class);
    free(c->trace);
    memset(c, 0, sizeof *c);
}
