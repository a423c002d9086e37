// SPDX-License-Identifier: MIT
// Runs a fuzz target over the files of its seed folder, for builds without libFuzzer.

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    static uint8_t data[1 << 20];
    unsigned files = 0;
    DIR *dir = argc > 1 ? opendir(argv[1]) : NULL;
    if (!dir) {
        fprintf(stderr, "seeds: no folder %s\n", argc > 1 ? argv[1] : "given");
        return 1;
    }
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        char path[1024];
        if (e->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
        FILE *f = fopen(path, "rb");
        if (!f) return 1;
        size_t size = fread(data, 1, sizeof data, f);
        fclose(f);
        uint8_t *exact = malloc(size ? size : 1); // exact size for the sanitizer
        for (size_t i = 0; i < size; ++i) exact[i] = data[i];
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
        ++files;
    }
    closedir(dir);
    printf("%u seeds\n", files);
    return files ? 0 : 1;
}
