package dev.touchstone.harness.env;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A mounted file system: a line of {@code /proc/self/mountinfo} (proc(5)).
 *
 * @param deviceNumber {@code major:minor}
 * @param options the mount's and the file system's, comma separated, without repetition
 * @param source what is mounted, {@code /dev/vda1}
 */
record Mount(String deviceNumber, Path point, String options, String type, String source) {
    private static final Pattern TELLING = Pattern.compile(
            "rw|ro|relatime|noatime|discard|nobarrier|sync|dirsync|(barrier|data|commit|errors)=[A-Za-z0-9_-]{1,32}");

    /** The mount that a path lies on: the longest mount point that it starts with, of equal ones the last mounted. */
    static Optional<Mount> of(Path absolute, String mountinfo) {
        Mount best = null;
        for (Mount mount : parseAll(mountinfo)) {
            boolean covers = absolute.startsWith(mount.point);
            if (covers && (best == null || mount.point.getNameCount() >= best.point.getNameCount())) {
                best = mount;
            }
        }
        return Optional.ofNullable(best);
    }

    static List<Mount> parseAll(String mountinfo) {
        List<Mount> mounts = new ArrayList<>();
        mountinfo.lines().forEach(line -> parse(line).ifPresent(mounts::add));
        return mounts;
    }

    boolean tmpfs() {
        return type.equals("tmpfs") || type.equals("ramfs");
    }

    /** The options that bear on what a force costs; others may name servers, users and paths. */
    String telling() {
        return Arrays.stream(options.split(",", -1))
                .filter(option -> TELLING.matcher(option).matches())
                .collect(Collectors.joining(","));
    }

    /** The block device, or the type where there is none: a share's source names its server. */
    String device() {
        return source.startsWith("/dev/") ? source : type;
    }

    private static Optional<Mount> parse(String line) {
        // id parent major:minor root point options optional* - type source superOptions
        String[] fields = line.split(" ", -1);
        int dash = Arrays.asList(fields).indexOf("-");
        if (dash < 6 || fields.length < dash + 3) {
            return Optional.empty();
        }
        Set<String> options = new LinkedHashSet<>(Arrays.asList(fields[5].split(",", -1)));
        if (fields.length > dash + 3) {
            options.addAll(Arrays.asList(fields[dash + 3].split(",", -1)));
        }
        Path point = Path.of(unescaped(fields[4]));
        return Optional.of(
                new Mount(fields[2], point, String.join(",", options), fields[dash + 1], unescaped(fields[dash + 2])));
    }

    /** Space, tab, newline and backslash stand as three octal digits after a backslash. */
    private static String unescaped(String text) {
        return text.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
