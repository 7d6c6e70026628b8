package dev.touchstone.harness.env;

import dev.touchstone.harness.env.Finding.Severity;
import dev.touchstone.harness.run.Profile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules that turn the facts of an environment into findings: what each means for the figures. */
final class Findings {
    private static final Set<String> NETWORK = Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "ceph");
    private static final long LOW_MEMORY_BYTES = 2L << 30;
    /** No disk ends a force faster than some tens of microseconds; what does has a cache that answers for it. */
    private static final double IMPLAUSIBLE_FORCE_MICROS = 15;

    private final Environment env;
    private final List<Finding> found = new ArrayList<>();

    private Findings(Environment env) {
        this.env = env;
    }

    static List<Finding> of(Environment environment) {
        Findings findings = new Findings(environment);
        findings.machine();
        findings.software();
        findings.disk();
        findings.force();
        findings.load();
        return List.copyOf(findings.found);
    }

    private void machine() {
        add("CPU", env.cpuModel(), "figures of another model compare as ratios only", Severity.OK);
        boolean few = env.cores() < 4;
        add(
                "cores",
                Integer.toString(env.cores()),
                few
                        ? "more threads than cores share them: many-thread rows measure the scheduler too"
                        : "enough that a benchmark and the system don't share one",
                few ? Severity.NOTE : Severity.OK);
        boolean small = env.memoryBytes() >= 0 && env.memoryBytes() < LOW_MEMORY_BYTES;
        add(
                "memory",
                bytes(env.memoryBytes()),
                small ? "little room for the page cache beside two JVMs" : "room for the page cache beside two JVMs",
                small ? Severity.WARN : Severity.OK);
        add(
                "virtual machine",
                env.hypervisor() ? "yes" : "no hypervisor flag",
                env.hypervisor()
                        ? "a force may end in the hypervisor's cache, and neighbours share the machine"
                        : "the processor doesn't say that it's virtual",
                env.hypervisor() ? Severity.NOTE : Severity.OK);
        governor(env.governor());
    }

    private void governor(@Nullable String governor) {
        if (governor == null) {
            add("frequency governor", "not visible", "the clock may change under a run unseen", Severity.NOTE);
        } else if (governor.equals("performance")) {
            add("frequency governor", governor, "the clock stays high", Severity.OK);
        } else {
            add("frequency governor", governor, "the clock follows the load: short cells look slower", Severity.WARN);
        }
    }

    private void software() {
        add("kernel", env.kernel(), "I/O figures belong to this kernel", Severity.OK);
        add("system", env.os(), "recorded, so that unlike machines aren't compared", Severity.OK);
        add("JDK", env.jdkVersion() + ", " + env.jdkVendor(), "both sides of a ratio run on it", Severity.OK);
        add("JVM", env.vm(), "its compiler made the code that was measured", Severity.OK);
    }

    private void disk() {
        String where = env.fileSystem() + " on " + env.device();
        if (env.tmpfs()) {
            add(
                    "file system",
                    where,
                    "memory, not a disk: a force does nothing, durable rows mean nothing",
                    Severity.WARN);
        } else if (env.fileSystem().equals(Environment.UNKNOWN)) {
            add("file system", where, "can't be told: durable rows may not reach a disk", Severity.NOTE);
        } else if (env.fileSystem().equals("overlay")) {
            add("file system", where, "a container's layer: give a folder on a volume of its own", Severity.WARN);
        } else if (NETWORK.contains(env.fileSystem()) || env.fileSystem().startsWith("fuse")) {
            add(
                    "file system",
                    where,
                    "another program or machine writes: a force is as good as its word",
                    Severity.NOTE);
        } else {
            add("file system", where, "durable rows reach this device", Severity.OK);
        }
        boolean unsafe = List.of(env.mountOptions().split(",", -1)).contains("nobarrier")
                || env.mountOptions().contains("barrier=0");
        add(
                "mount options",
                env.mountOptions(),
                unsafe ? "barriers are off: a force may return before the data is safe" : "barriers are not turned off",
                unsafe ? Severity.WARN : Severity.OK);
        freeSpace();
        writeCache(env.writeCache());
    }

    private void freeSpace() {
        List<String> refused = Arrays.stream(Profile.values())
                .filter(profile -> env.freeBytes() >= 0 && env.freeBytes() < profile.neededBytes())
                .map(profile -> profile.label() + " (" + bytes(profile.neededBytes()) + ")")
                .toList();
        boolean low = !refused.isEmpty();
        add(
                "free space",
                bytes(env.freeBytes()),
                low ? "too little for " + String.join(", ", refused) : "enough for every profile",
                low ? Severity.WARN : Severity.OK);
    }

    private void writeCache(@Nullable String cache) {
        if (cache == null) {
            add("write cache", "not visible", "the device may answer a force from memory", Severity.NOTE);
        } else if (cache.equals("write through")) {
            add("write cache", cache, "the device says it keeps nothing volatile: a force costs no flush", Severity.OK);
        } else {
            add(
                    "write cache",
                    cache,
                    "each force must flush the device's cache, and is as safe as that flush",
                    Severity.NOTE);
        }
    }

    private void force() {
        ForceLatency force = env.force();
        if (force == null) {
            add(
                    "force of 512 B",
                    "not measured",
                    "the limit of one durable write at a time isn't known",
                    Severity.NOTE);
            return;
        }
        String value = micros(force.p50Micros()) + " p50, " + micros(force.p99Micros()) + " p99";
        if (force.p50Micros() < IMPLAUSIBLE_FORCE_MICROS) {
            add("force of 512 B", value, "too fast for a disk: something volatile answers", Severity.WARN);
        } else if (force.p99Micros() > 20 * force.p50Micros()) {
            add("force of 512 B", value, "uneven: durable rows scatter, trust their intervals", Severity.NOTE);
        } else {
            add(
                    "force of 512 B",
                    value,
                    "one thread that forces each write can reach " + perSecond(force) + " a second",
                    Severity.OK);
        }
    }

    private void load() {
        boolean busy = env.loadAverage() > 0.5 * env.cores();
        add(
                "load",
                env.loadAverage() < 0 ? Environment.UNKNOWN : String.format(Locale.ROOT, "%.2f", env.loadAverage()),
                busy ? "other work runs: it slows and scatters the forks" : "little else runs",
                busy ? Severity.WARN : Severity.OK);
        boolean stolen = env.stealPercent() > 1;
        add(
                "steal since start",
                env.stealPercent() < 0
                        ? Environment.UNKNOWN
                        : String.format(Locale.ROOT, "%.2f %%", env.stealPercent()),
                stolen ? "neighbours take processor time: expect slow forks" : "neighbours take hardly any time",
                stolen ? Severity.WARN : Severity.OK);
    }

    private void add(String name, String value, String meaning, Severity severity) {
        found.add(new Finding(name, value, meaning, severity));
    }

    private static long perSecond(ForceLatency force) {
        return Math.round(1e6 / force.p50Micros());
    }

    private static String micros(double micros) {
        return micros < 1000
                ? String.format(Locale.ROOT, "%.0f µs", micros)
                : String.format(Locale.ROOT, "%.1f ms", micros / 1000);
    }

    private static String bytes(long bytes) {
        return bytes < 0 ? Environment.UNKNOWN : String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1L << 30));
    }
}
