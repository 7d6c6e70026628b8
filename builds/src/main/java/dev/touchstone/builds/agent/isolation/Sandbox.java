package dev.touchstone.builds.agent.isolation;

import dev.touchstone.builds.agent.process.Command;
import dev.touchstone.builds.agent.process.Programs;
import dev.touchstone.builds.agent.process.QuietCommand;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Namespaces made by bubblewrap: a script sees the system's programs read-only, its own workspace, and nothing else of the machine's files and
 * processes.
 */
final class Sandbox implements Isolation {
    /*
     * Invariants: a path is seen only if it is listed here; there is no list of what is hidden, but for hidden files inside system folders.
     *             No process inside can get privileges, mount, or make further user namespaces.
     * Order:      a mount covers the ones before it, so that the workspace comes last.
     * Ending:     the first process of the process namespace leads a session of its own and ignores TERM; see ProcessTree. The kernel ends
     *             everything inside with it, and it ends with the program outside (--die-with-parent).
     * Failure:    bubblewrap that fails before the script begins ends with exit code 1, says why on the script's output, and reports no exit code.
     *             Only a shell can give it the descriptor for its report.
     * Report:     a file that has the filter of system calls, which bubblewrap reads first of all, and then what it reports.
     */
    private static final List<String> WITH_REPORT = List.of("/bin/sh", "-c", "exec 3>>\"$0\" 4<\"$0\"; exec \"$@\"");

    private static final List<String> DESCRIPTORS = List.of("--json-status-fd", "3", "--add-seccomp-fd", "4");

    private static final Pattern REPORTED_START = Pattern.compile("\"child-pid\": ([0-9]{1,18})");
    private static final String REPORTED_END = "exit-code";

    private static final List<String> SYSTEM = List.of(
            "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu", "/sys");

    /** Folders that the sandbox has of its own. */
    private static final List<String> OWN = List.of("/proc", "/dev", "/tmp");

    /** The last words of each sandbox. Of /proc too: root's user may write /proc/sys without a capability, and so name a program for the kernel to start. */
    private static final List<String> SHUT =
            List.of("--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/");

    private static final String HOME = "/tmp/home";
    private static final List<String> PATHS = List.of("HOME", "TMPDIR", "SSH_AUTH_SOCK");
    private static final String TEMPORARY_BYTES = Long.toString(1L << 30);
    private static final String COVER_BYTES = Long.toString(1L << 20);
    private static final Duration MAX_PROBING = Duration.ofSeconds(20);

    private final List<Path> seen;
    private final List<Path> withheld;
    private final List<String> words;

    private Sandbox(List<Path> seen, List<Path> withheld, List<String> words) {
        this.seen = seen;
        this.withheld = withheld;
        this.words = words;
    }

    static Sandbox open(IsolationOptions options, Map<String, String> environment, List<Path> own) throws IOException {
        Path bwrap = Programs.find("bwrap", environment)
                .orElseThrow(() -> new SandboxMissingException(
                        "bwrap is not on the PATH; install the package bubblewrap, 0.8.0 or later"));
        List<Path> hidden = new ArrayList<>();
        for (Path file : options.hidden()) {
            hidden.add(real(file));
        }
        List<Path> folders = new ArrayList<>();
        for (Path folder : own) {
            folders.add(real(folder));
        }
        List<Path> withheld = new ArrayList<>(hidden);
        withheld.addAll(folders);
        List<Path> seen = new ArrayList<>();
        List<String> words = new ArrayList<>(List.of(bwrap.toString()));
        words.addAll(List.of("--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-ipc", "--unshare-uts"));
        if (!options.network()) {
            words.add("--unshare-net");
        }
        words.addAll(List.of("--cap-drop", "ALL", "--die-with-parent", "--new-session"));
        addSystem(words, seen);
        addOwn(words);
        addResolver(words, seen);
        for (Path path : options.readable()) {
            add(words, seen, "--ro-bind", checked(path, withheld, false));
        }
        for (Path path : options.writable()) {
            add(words, seen, "--bind", checked(path, withheld, true));
        }
        addMasks(words, seen, hidden, folders);
        Sandbox sandbox = new Sandbox(List.copyOf(seen), List.copyOf(withheld), List.copyOf(words));
        sandbox.probe(environment);
        return sandbox;
    }

    @Override
    public String name() {
        return "sandbox";
    }

    @Override
    public String shortcoming() {
        return "";
    }

    @Override
    public boolean sees(Path program) {
        try {
            Path real = program.toRealPath();
            return seen.stream().anyMatch(real::startsWith);
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public Map<String, String> environment(Map<String, String> agents) {
        Map<String, String> inside = new HashMap<>(agents);
        inside.keySet().removeIf(name -> PATHS.contains(name) && !sees(Path.of(agents.getOrDefault(name, ""))));
        inside.putIfAbsent("HOME", HOME);
        return inside;
    }

    @Override
    public Command enclose(Command command, Path workspace, List<Path> lent, Path report) throws IOException {
        List<String> all = begin(report);
        for (Path path : lent) {
            lend(all, path);
        }
        all.addAll(List.of("--bind", workspace.toString(), workspace.toString()));
        all.addAll(SHUT);
        all.addAll(List.of("--chdir", command.folder().toString(), "--"));
        all.addAll(command.words());
        return command.enclosed(all, workspace);
    }

    private static String said(Path report) throws IOException {
        return Files.readString(report, StandardCharsets.ISO_8859_1);
    }

    @Override
    public OptionalLong firstInside(Path report) throws IOException {
        Matcher start = REPORTED_START.matcher(said(report));
        return start.find() ? OptionalLong.of(Long.parseLong(start.group(1))) : OptionalLong.empty();
    }

    @Override
    public void checkBegun(int exitCode, Path report) throws IOException {
        if (exitCode == 0) {
            return;
        }
        String said = said(report);
        boolean isKilled = exitCode != 1 && REPORTED_START.matcher(said).find();
        if (!isKilled && !said.contains(REPORTED_END)) {
            throw new IsolationException("the sandbox failed before the script began: exitCode=" + exitCode
                    + "; the log's last lines say why");
        }
    }

    private void lend(List<String> all, Path path) {
        try {
            Path real = path.toRealPath();
            if (seen.stream().noneMatch(path::startsWith) && !path.startsWith("/proc") && mayLend(real)) {
                all.addAll(List.of("--ro-bind-try", real.toString(), path.toString()));
            }
        } catch (IOException e) {
            // is gone; the script's git says so if it matters
        }
    }

    /** Returns whether a folder shows nothing that is withheld; parts of the agent's own folders are lent, never all of them. */
    private boolean mayLend(Path path) {
        return path.getNameCount() > 0
                && OWN.stream().noneMatch(folder -> path.equals(Path.of(folder)))
                && withheld.stream().noneMatch(one -> one.startsWith(path));
    }

    private List<String> begin(Path report) throws IOException {
        try (FileChannel file = OwnerOnly.open(
                report, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            for (ByteBuffer filter = ByteBuffer.wrap(KeyringFilter.program()); filter.hasRemaining(); ) {
                file.write(filter);
            }
        }
        List<String> all = new ArrayList<>(WITH_REPORT);
        all.add(report.toString());
        all.addAll(words);
        all.addAll(DESCRIPTORS);
        return all;
    }

    private void probe(Map<String, String> environment) throws IOException {
        Path report = Files.createTempFile("builds", "sandbox");
        try {
            probe(environment, report);
        } finally {
            Files.delete(report);
        }
    }

    private void probe(Map<String, String> environment, Path report) throws IOException {
        List<String> trial = begin(report);
        trial.addAll(SHUT);
        trial.add("--");
        trial.add(
                Programs.find("true", environment).orElse(Path.of("/bin/true")).toString());
        QuietCommand.Report ended = QuietCommand.report(trial, MAX_PROBING);
        if (ended.exitCode() != 0) {
            throw new SandboxMissingException("bwrap does not work here: exitCode=" + ended.exitCode() + " said=\""
                    + ended.output().strip() + "\"; it needs user namespaces and bubblewrap 0.8.0 or later");
        }
    }

    private static void addSystem(List<String> words, List<Path> seen) throws IOException {
        for (String name : SYSTEM) {
            Path folder = Path.of(name);
            if (Files.isSymbolicLink(folder)) {
                words.addAll(List.of("--symlink", Files.readSymbolicLink(folder).toString(), name));
            } else if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                add(words, seen, "--ro-bind", folder);
            }
        }
    }

    private static void addOwn(List<String> words) {
        words.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
        for (String folder : List.of("/dev/shm", "/tmp")) {
            words.addAll(List.of("--size", TEMPORARY_BYTES, "--tmpfs", folder));
        }
        words.addAll(List.of("--dir", HOME, "--dir", "/run", "--dir", "/var", "--symlink", "/tmp", "/var/tmp"));
    }

    /** Adds the file that /etc/resolv.conf leads to where that is not in /etc. */
    private static void addResolver(List<String> words, List<Path> seen) {
        try {
            Path real = Path.of("/etc/resolv.conf").toRealPath();
            if (seen.stream().noneMatch(real::startsWith)) {
                add(words, seen, "--ro-bind-try", real);
            }
        } catch (IOException e) {
            // a machine without a resolver's configuration
        }
    }

    /**
     * Covers what a system folder would show of the agent: its own folders, and the folder of each hidden file, since a file that is replaced would
     * come out from under its cover.
     */
    private static void addMasks(List<String> words, List<Path> seen, List<Path> hidden, List<Path> own) {
        List<Path> covered = new ArrayList<>();
        for (Path file : hidden) {
            Path folder = file.getParent();
            if (seen.contains(folder)) {
                words.addAll(List.of("--ro-bind", "/dev/null", file.toString()));
            } else if (folder != null) {
                covered.add(folder);
            }
        }
        covered.addAll(own);
        for (Path folder : covered) {
            if (seen.stream().anyMatch(folder::startsWith)) {
                words.addAll(List.of("--size", COVER_BYTES, "--tmpfs", folder.toString()));
            }
        }
    }

    private static void add(List<String> words, List<Path> seen, String how, Path path) {
        words.addAll(List.of(how, path.toString(), path.toString()));
        seen.add(path);
    }

    private static Path checked(Path path, List<Path> withheld, boolean writable) throws IOException {
        Path real = real(path);
        boolean system =
                Stream.concat(SYSTEM.stream(), OWN.stream()).map(Path::of).anyMatch(own -> own.startsWith(real));
        if (system || (writable && SYSTEM.stream().map(Path::of).anyMatch(real::startsWith))) {
            throw new IsolationException(
                    "path=" + path + " holds, or is, what the sandbox has of its own; name a folder below");
        }
        for (Path one : withheld) {
            if (one.startsWith(real) || real.startsWith(one)) {
                throw new IsolationException("path=" + path + " would show scripts the agent's path=" + one
                        + "; keep what scripts share in a folder of its own");
            }
        }
        return real;
    }

    private static Path real(Path path) throws IOException {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            throw new IsolationException("path=" + path + " cannot be found: " + e.getMessage());
        }
    }
}
