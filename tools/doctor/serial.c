// SPDX-License-Identifier: MIT
// A serial device that cannot be opened, or that another program reads, too.

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source.h"
#include "wallfly_backend/wf_system.h"

enum { HOLDERS_MAX = 8, DEVICES_MAX = 8 };

bool serial_parse(const char *source, char device[256], unsigned *baud) {
    static const char kind[] = "serial:";
    if (strncmp(source, kind, sizeof kind - 1) != 0) return false;
    const char *operand = source + sizeof kind - 1, *at = strrchr(operand, '@');
    size_t len = at ? (size_t)(at - operand) : strlen(operand);
    unsigned long rate = at ? strtoul(at + 1, NULL, 10) : BAUD_DEFAULT;
    if (!len || len >= 256 || !rate || rate > 100000000) return false;
    memcpy(device, operand, len);
    device[len] = 0;
    *baud = (unsigned)rate;
    return true;
}

void holders_text(const struct wf_system_holder *holders, unsigned count, char *text, size_t cap) {
    *text = 0;
    for (unsigned i = 0; i < count; ++i) {
        size_t len = strlen(text);
        snprintf(text + len, cap - len, "%s%s (pid %ld)", i ? ", " : "", holders[i].name,
                 holders[i].pid);
    }
}

static void find_no_device(struct doctor *d, const char *device, unsigned baud, int err) {
    char paths[DEVICES_MAX][WF_SYSTEM_PATH], list[256] = "", source[512], command[DOCTOR_COMMAND];
    unsigned count = wf_system_serial_devices(device, paths, DEVICES_MAX);
    for (unsigned i = 0; i < count; ++i) {
        size_t len = strlen(list);
        snprintf(list + len, sizeof list - len, "%s%s", i ? ", " : "", paths[i]);
    }
    if (count) snprintf(source, sizeof source, "serial:%s@%u", paths[0], baud);
    if (count) doctor_command(d, "doctor", source, NULL, command);
    doctor_find(d, DOCTOR_NO_DEVICE, count ? command : NULL, "%s: %s; serial devices: %s", device,
                strerror(err), count ? list : "none");
}

static void find_no_permission(struct doctor *d, const char *device) {
    char command[DOCTOR_COMMAND] = "";
    struct stat st = {.st_mode = 0};
    const struct passwd *owner = stat(device, &st) == 0 ? getpwuid(st.st_uid) : NULL;
    const struct group *group = getgrgid(st.st_gid);
    const struct passwd *user = getpwuid(geteuid());
    char name[64];
    snprintf(name, sizeof name, "%s", user ? user->pw_name : "$USER");
    bool joins = group && (st.st_mode & 060) == 060 && st.st_gid;
    if (joins) snprintf(command, sizeof command, "sudo usermod -aG %.64s %s", group->gr_name, name);
    owner = getpwuid(st.st_uid);
    doctor_find(d, DOCTOR_NO_PERMISSION, command, "%s is for user %s%s%s (mode %03o); you are %s",
                device, owner ? owner->pw_name : "?", joins ? " and group " : "",
                joins ? group->gr_name : "", (unsigned)st.st_mode & 0777, name);
}

static void find_in_use(struct doctor *d, enum doctor_id id, const char *device) {
    struct wf_system_holder holders[HOLDERS_MAX];
    char list[256];
    unsigned count = wf_system_device_holders(device, holders, HOLDERS_MAX);
    holders_text(holders, count, list, sizeof list);
    if (id == DOCTOR_DEVICE_SHARED && !count) return;
    doctor_find(d, id, NULL, "%s is open in: %s", device,
                count ? list : "a program of another user");
}

void serial_check(struct doctor *d) {
    char device[256];
    unsigned baud;
    if (!serial_parse(d->source, device, &baud)) return; // the link reports it
    int err = wf_system_try_serial(device, baud);
    switch (err) {
    case 0: find_in_use(d, DOCTOR_DEVICE_SHARED, device); break;
    case ENOENT:
    case ENXIO:
    case ENODEV:
    case EIO: find_no_device(d, device, baud, err); break;
    case EACCES:
    case EPERM: find_no_permission(d, device); break;
    case EBUSY: find_in_use(d, DOCTOR_DEVICE_IN_USE, device); break;
    case ENOTTY: doctor_find(d, DOCTOR_NOT_SERIAL, NULL, "%s: %s", device, strerror(err)); break;
    case EINVAL:
        doctor_find(d, DOCTOR_BAUD_REFUSED, NULL, "%s does not accept %u baud", device, baud);
        break;
    default: doctor_find(d, DOCTOR_NOT_READABLE, NULL, "%s: %s", device, strerror(err));
    }
}
