// SPDX-License-Identifier: MIT
// Column widths are those of the first rows, so that a long answer
// needs no memory.

#include "query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "wallfly_backend/wf_database.h"
#include "wallfly_host/wf_err.h"
#include "wallfly_host/wf_utf8.h"
#include "wallfly_server/query_guard.h"

enum { ROWS = 512, COLUMNS = 256, WIDTH_MAX = 60 };

bool query_is_database(const char *file) {
    char head[16] = "";
    struct stat st;
    if (stat(file, &st) != 0 || !S_ISREG(st.st_mode)) return false; // else a pipe would lose bytes
    FILE *f = fopen(file, "rb");
    if (!f) return false;
    bool is = fread(head, 1, 16, f) == 16 && memcmp(head, "SQLite format 3", 16) == 0;
    fclose(f);
    return is;
}

// ---- cells

static const char *text_of(sqlite3_stmt *s, int column, int *len) {
    const void *text = sqlite3_column_blob(s, column);
    *len = sqlite3_column_bytes(s, column);
    return text ? text : "";
}

// Prints a text escaped by `form`; a byte becomes six bytes at most.
static void put_text(size_t (*form)(const char *text, size_t len, char *to), const char *text,
                     size_t len) {
    char *to = malloc(6 * len + 3);
    if (!to) return;
    fwrite(to, 1, form(text, len, to), stdout);
    free(to);
}

static void put_json(const char *text) { put_text(wf_table_json_text, text, strlen(text)); }
static size_t safe_csv(const char *text, size_t len, char *to) {
    return wf_table_csv_text(text, len, false, to);
}
static size_t raw_csv(const char *text, size_t len, char *to) {
    return wf_table_csv_text(text, len, true, to);
}

static void put_csv(enum query_form form, const char *text, size_t len) {
    put_text(form == QUERY_CSV_RAW ? raw_csv : safe_csv, text, len);
}

static bool is_csv(enum query_form form) { return form == QUERY_CSV || form == QUERY_CSV_RAW; }

static char *escape_text(const char *text, size_t len) {
    char *shown = malloc(4 * len + 1);
    if (shown) shown[wf_utf8_show(text, len, shown)] = 0;
    return shown;
}

// ---- forms

struct answer {
    sqlite3_stmt *s;
    enum query_form form;
    int columns;
    unsigned long long rows;
    size_t width[COLUMNS];
    bool text[COLUMNS]; // the column contains text: left-aligned
    char **held;        // cells of the first rows, until the widths are known
    unsigned held_rows;
    bool failed;
};

static void put_blanks(size_t count) {
    while (count--) putchar(' ');
}

static void put_padded(const struct answer *a, int column, const char *text) {
    size_t wide = shown_width(text), pad = wide < a->width[column] ? a->width[column] - wide : 0;
    bool last = column + 1 == a->columns;
    if (!a->text[column]) put_blanks(pad);
    fputs(text, stdout);
    if (a->text[column] && !last) put_blanks(pad);
    if (!last) fputs("  ", stdout);
}

static void print_held(struct answer *a) {
    if (!a->held) return;
    for (int c = 0; c < a->columns; ++c) put_padded(a, c, shown_text(sqlite3_column_name(a->s, c)));
    putchar('\n');
    for (int c = 0; c < a->columns; ++c) {
        for (size_t i = 0; i < a->width[c]; ++i) putchar('-');
        if (c + 1 < a->columns) fputs("  ", stdout);
    }
    putchar('\n');
    for (unsigned r = 0; r < a->held_rows; ++r) {
        for (int c = 0; c < a->columns; ++c) {
            char *text = a->held[r * (unsigned)a->columns + (unsigned)c];
            put_padded(a, c, text ? text : "");
            free(text);
        }
        putchar('\n');
    }
    free(a->held);
    a->held = NULL;
}

static void table_row(struct answer *a) {
    bool hold = a->held != NULL;
    for (int c = 0; c < a->columns; ++c) {
        int len, type = sqlite3_column_type(a->s, c);
        const char *text = text_of(a->s, c, &len);
        char *shown = escape_text(text, (size_t)len);
        if (!shown) a->failed = true;
        size_t wide = shown ? shown_width(shown) : 0;
        if (!hold) {
            put_padded(a, c, shown ? shown : "");
            free(shown);
            continue;
        }
        a->held[a->held_rows * (unsigned)a->columns + (unsigned)c] = shown;
        if (type == SQLITE_TEXT || type == SQLITE_BLOB) a->text[c] = true;
        if (wide > WIDTH_MAX && c + 1 < a->columns) wide = WIDTH_MAX;
        if (wide > a->width[c]) a->width[c] = wide;
    }
    if (!hold)
        putchar('\n');
    else if (++a->held_rows == ROWS)
        print_held(a);
}

static void csv_row(const struct answer *a) {
    for (int c = 0; c < a->columns; ++c) {
        int len;
        const char *text = text_of(a->s, c, &len);
        if (c) putchar(',');
        int type = sqlite3_column_type(a->s, c);
        bool number = type == SQLITE_INTEGER || type == SQLITE_FLOAT;
        if (type != SQLITE_NULL) put_csv(number ? QUERY_CSV_RAW : a->form, text, (size_t)len);
    }
    fputs("\r\n", stdout);
}

static void json_row(struct answer *a) {
    fputs(a->rows ? ",\n " : "[", stdout);
    for (int c = 0; c < a->columns; ++c) {
        const char *name = sqlite3_column_name(a->s, c);
        fputs(c ? "," : "{", stdout);
        put_json(name);
        putchar(':');
        if (!query_put_json(stdout, a->s, c)) a->failed = true;
    }
    putchar('}');
}

static bool begin_answer(struct answer *a) {
    a->columns = sqlite3_column_count(a->s);
    if (a->columns > COLUMNS) a->columns = COLUMNS;
    for (int c = 0; c < a->columns; ++c) {
        const char *name = sqlite3_column_name(a->s, c);
        if (a->form == QUERY_TABLE) a->width[c] = shown_width(shown_text(name));
        if (!is_csv(a->form)) continue;
        if (c) putchar(',');
        put_csv(a->form, name, strlen(name));
    }
    if (is_csv(a->form)) fputs("\r\n", stdout);
    if (a->form != QUERY_TABLE) return true;
    a->held = calloc((size_t)ROWS * (size_t)(a->columns ? a->columns : 1), sizeof *a->held);
    return a->held != NULL;
}

static void end_answer(struct answer *a) {
    if (a->form == QUERY_JSON) fputs(a->rows ? "]\n" : "[]\n", stdout);
    if (a->form == QUERY_TABLE) print_held(a);
}

static int step_all(struct answer *a) {
    int code;
    if (!begin_answer(a)) return SQLITE_NOMEM;
    for (; (code = sqlite3_step(a->s)) == SQLITE_ROW && !a->failed && !ferror(stdout); ++a->rows) {
        if (a->form == QUERY_TABLE)
            table_row(a);
        else if (is_csv(a->form))
            csv_row(a);
        else
            json_row(a);
    }
    end_answer(a);
    return a->failed ? SQLITE_NOMEM : code == SQLITE_ROW ? SQLITE_DONE : code;
}

// ---- queries

static int bad_sql(sqlite3 *db, const char *sql) {
    char text[512];
    query_fault(db, sql, text);
    return diag_error(EXIT_USAGE, "query: %s", text);
}

static int run_statement(sqlite3 *db, const char *shown, const char *sql, enum query_form form) {
    struct answer a = {.form = form};
    char text[512];
    int code = EXIT_GOOD;
    if (!query_prepare(db, sql, &a.s, text)) code = diag_error(EXIT_USAGE, "query: %s", text);
    int err = code == EXIT_GOOD ? step_all(&a) : SQLITE_DONE;
    if (err == SQLITE_NOMEM)
        code = out_of_memory();
    else if (err == SQLITE_CORRUPT || err == SQLITE_NOTADB || err == SQLITE_IOERR)
        code = diag_error(EXIT_INPUT, "%s: %s", shown, sqlite3_errmsg(db));
    else if (err != SQLITE_DONE)
        code = bad_sql(db, sql);
    sqlite3_finalize(a.s);
    return code;
}

int query_run(const char *file, const char *shown, const char *sql, enum query_form form) {
    sqlite3 *db;
    int code = EXIT_GOOD;
    if (query_open(file, QUERY_OWN, &db) != SQLITE_OK)
        code = diag_error(EXIT_INPUT, "%s: %s", shown, sqlite3_errmsg(db));
    else
        code = run_statement(db, shown, sql, form);
    sqlite3_close(db);
    return code;
}

// ---- list of tables and views

static const char *const types[] = {
    [WF_CELL_INT] = "integer", [WF_CELL_TEXT] = "text", [WF_CELL_JSON] = "JSON"};

static void list_columns(const struct wf_table *t, const char *form) {
    for (unsigned i = 0; i < t->count; ++i)
        printf(form, t->columns[i].name, types[t->columns[i].type], t->columns[i].sentence);
}

static void list_markdown(void) {
    fputs("# Tables of a trace\n\n"
          "Written by `wallfly query --tables --md`. [tables.md](tables.md) describes queries.\n",
          stdout);
    for (unsigned i = 0; i < wf_table_count; ++i) {
        printf("\n## %s\n\n%s.\n\n| column | type | |\n| --- | --- | --- |\n", wf_tables[i].name,
               wf_tables[i].sentence);
        list_columns(&wf_tables[i], "| `%s` | %s | %s |\n");
    }
    fputs("\n## Views\n\nOf databases only.\n\n| view | |\n| --- | --- |\n", stdout);
    for (unsigned i = 0; i < wf_view_count; ++i)
        printf("| `%s` | %s |\n", wf_views[i].name, wf_views[i].sentence);
}

void query_list(bool markdown) {
    if (markdown) {
        list_markdown();
        return;
    }
    for (unsigned i = 0; i < wf_table_count; ++i) {
        printf("%s: %s\n", wf_tables[i].name, wf_tables[i].sentence);
        list_columns(&wf_tables[i], "  %-12s %-8s %s\n");
    }
    puts("\nViews:");
    for (unsigned i = 0; i < wf_view_count; ++i)
        printf("  %-16s %s\n", wf_views[i].name, wf_views[i].sentence);
}
