package dev.touchstone.harness.env;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Parsers of the kernel's text files: pure functions of their text; absent or strange text gives empty or -1, never an exception. */
final class ProcText {
    private ProcText() {}

    /** The value of the first line {@code key : value} of a file like {@code /proc/cpuinfo} or {@code key=value} like os-release. */
    static Optional<String> value(String text, String key, char separator) {
        return text.lines()
                .filter(line -> keyOf(line, separator).equals(key))
                .map(line ->
                        unquoted(line.substring(line.indexOf(separator) + 1).strip()))
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    /** Returns whether the processor's flags say that it is virtual. */
    static boolean hypervisor(String cpuinfo) {
        return value(cpuinfo, "flags", ':')
                .map(flags -> Arrays.asList(flags.split(" ", -1)).contains("hypervisor"))
                .orElse(false);
    }

    /** {@code MemTotal} of {@code /proc/meminfo} in bytes, or -1. */
    static long memoryBytes(String meminfo) {
        return value(meminfo, "MemTotal", ':')
                .map(value -> number(value.split(" ", -1)[0]))
                .map(kib -> kib < 0 ? -1 : kib * 1024)
                .orElse(-1L);
    }

    /** The first figure of {@code /proc/loadavg}, or -1. */
    static double loadAverage(String loadavg) {
        try {
            return Double.parseDouble(loadavg.strip().split(" ", -1)[0]);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Microseconds that some task waited, the {@code total} of line {@code some} of a file of {@code /proc/pressure}, or -1. */
    static long pressureMicros(String pressure) {
        return pressure.lines()
                .filter(line -> line.startsWith("some "))
                .map(line -> number(line.substring(line.indexOf("total=") + "total=".length())))
                .findFirst()
                .orElse(-1L);
    }

    /** Pages that went to or came from swap since the machine started, of {@code /proc/vmstat}, or -1. */
    static long swapPages(String vmstat) {
        long in = value(vmstat, "pswpin", ' ').map(ProcText::number).orElse(-1L);
        long out = value(vmstat, "pswpout", ' ').map(ProcText::number).orElse(-1L);
        return in < 0 || out < 0 ? -1 : in + out;
    }

    /** Milliseconds in which each block device had work, field 13 of {@code /proc/diskstats}; devices of memory are left out. */
    static Map<String, Long> diskMillis(String diskstats) {
        Map<String, Long> millis = new TreeMap<>();
        diskstats.lines().forEach(line -> {
            String[] fields = line.strip().split(" +", -1);
            if (fields.length >= 13 && !fields[2].matches("(loop|ram|zram)[0-9]+") && number(fields[12]) >= 0) {
                millis.put(fields[2], number(fields[12]));
            }
        });
        return millis;
    }

    /** Clock ticks that a process and the children that it has waited for used, from its {@code /proc/<pid>/stat}, or -1. */
    static long ticksWithChildren(String stat) {
        // The command name may hold spaces and parentheses, so fields are counted from the last ')': state is field 3.
        int end = stat.lastIndexOf(')');
        String[] fields = stat.substring(end + 1).strip().split(" ", -1);
        if (end < 0 || fields.length < 15) {
            return -1;
        }
        long sum = 0;
        for (int field = 14; field <= 17; field++) {
            sum += number(fields[field - 3]);
        }
        return sum;
    }

    /** A decimal number, or -1. */
    static long number(String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static String keyOf(String line, char separator) {
        int at = line.indexOf(separator);
        return at < 0 ? "" : line.substring(0, at).strip();
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}
