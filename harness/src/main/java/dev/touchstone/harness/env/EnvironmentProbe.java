package dev.touchstone.harness.env;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the system what it is. Works where {@code /proc} and {@code /sys} are absent: what they would tell is then unknown. */
public final class EnvironmentProbe {
    private EnvironmentProbe() {}

    /**
     * The machine and the file system below the folder, with 500 forces timed there (at most 3 s).
     *
     * @throws DataFolderException when the folder is missing, no folder, read-only, full or failing
     */
    public static Environment capture(Path dataFolder) throws DataFolderException {
        ForceLatency force = ForceProbe.measure(dataFolder);
        return capture(dataFolder, SystemFiles.ofThisMachine(), force);
    }

    static Environment capture(Path dataFolder, SystemFiles files, @Nullable ForceLatency force) {
        String cpuinfo = files.read("proc/cpuinfo");
        Optional<Mount> mount = Mount.of(realPath(dataFolder), files.read("proc/self/mountinfo"));
        return new Environment(
                Environment.SCHEMA,
                cpuModel(cpuinfo),
                Runtime.getRuntime().availableProcessors(),
                ProcText.memoryBytes(files.read("proc/meminfo")),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                ProcText.value(files.read("etc/os-release"), "PRETTY_NAME", '=').orElse(Environment.UNKNOWN),
                Runtime.version().toString(),
                property("java.vendor"),
                property("java.vm.name") + ", " + property("java.vm.info"),
                mount.map(Mount::type).orElse(Environment.UNKNOWN),
                mount.map(Mount::telling).orElse(Environment.UNKNOWN),
                mount.map(Mount::device).orElse(Environment.UNKNOWN),
                mount.map(at -> writeCache(at, files)).orElse(null),
                freeBytes(dataFolder),
                textOrNull(files.read("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")),
                ProcText.hypervisor(cpuinfo),
                mount.map(Mount::tmpfs).orElse(false),
                ProcText.loadAverage(files.read("proc/loadavg")),
                CpuTicks.parse(files.read("proc/stat")).stealPercentSince(new CpuTicks(0, 0, 0)),
                force);
    }

    private static String cpuModel(String cpuinfo) {
        return ProcText.value(cpuinfo, "model name", ':')
                .or(() -> ProcText.value(cpuinfo, "Model", ':'))
                .or(() -> ProcText.value(cpuinfo, "CPU implementer", ':').map(code -> "implementer " + code))
                .orElse(Environment.UNKNOWN);
    }

    /** A partition has no queue of its own: its disk's, one folder up, holds. */
    private static @Nullable String writeCache(Mount mount, SystemFiles files) {
        String device = "sys/dev/block/" + mount.deviceNumber();
        String own = files.read(device + "/queue/write_cache");
        return textOrNull(own.isEmpty() ? files.read(device + "/../queue/write_cache") : own);
    }

    private static @Nullable String textOrNull(String text) {
        return text.isBlank() ? null : text.strip();
    }

    private static String property(String name) {
        return System.getProperty(name, Environment.UNKNOWN);
    }

    private static Path realPath(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            return folder.toAbsolutePath().normalize();
        }
    }

    private static long freeBytes(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            return -1;
        }
    }
}
