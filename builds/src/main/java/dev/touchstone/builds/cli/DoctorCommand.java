package dev.touchstone.builds.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.agent.isolation.Isolation;
import dev.touchstone.builds.agent.limit.ControlGroups;
import dev.touchstone.builds.agent.limit.Limits;
import dev.touchstone.builds.agent.limit.LimitsMissingException;
import dev.touchstone.builds.agent.process.Programs;
import dev.touchstone.builds.agent.process.QuietCommand;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.FailureMessages;
import dev.touchstone.cli.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code doctor}: tells whether this machine is fit for an agent. */
@Command(
        name = "doctor",
        description = {
            "Tells whether this machine is fit for an agent: isolation and limits of scripts, git, free disk, the token file and the master.",
            "",
            "Takes the options and the environment of the agent command. Changes nothing. Without the address of a master, none is asked."
        },
        exitCodeList = {
            "0:No check failed; there may be warnings.",
            "2:The command line cannot be used.",
            "5:A check failed.",
            "125:The machine failed."
        })
final class DoctorCommand implements Callable<Integer> {
    private static final long MIN_FREE_BYTES = 1L << 30;
    private static final Limits ALL_LIMITS = new Limits(Limits.MIN_MEMORY_BYTES, 1, 1);
    private static final Duration MAX_GIT = Duration.ofSeconds(20);

    @Mixin
    ClientFlags flags = new ClientFlags();

    @Mixin
    IsolationFlags isolation = new IsolationFlags();

    @Mixin
    LimitFlags limits = new LimitFlags();

    @Option(
            names = {"-workspace", "--workspace"},
            paramLabel = "FOLDER",
            description =
                    "Folder of the agent, which need not exist yet. Default: BUILDS_SLAVE_WORKSPACE, or the current folder.")
    Optional<String> workspace = Optional.empty();

    @Option(names = "--json", description = "Print one JSON document on stdout instead of the text.")
    boolean isJson;

    private final ProcessContext around;

    DoctorCommand(ProcessContext around) {
        this.around = around;
    }

    /** State of a check. */
    private enum State {
        OK,
        WARNING,
        FAILED,
        SKIPPED;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The result of a check.
     *
     * @param name of the check
     * @param detail text for people
     */
    private record Check(String name, State state, String detail) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        flags.shared.warn(around.err());
        Settings settings = new Settings(around.environment(), ConfigFile.NONE);
        List<Check> checks =
                List.of(isolation(settings), limits(), git(), disk(settings), token(settings), master(settings));
        boolean failed = checks.stream().anyMatch(check -> check.state() == State.FAILED);
        String text = isJson ? json(checks, !failed) : text(checks);
        around.out().write(text.getBytes(StandardCharsets.UTF_8));
        around.out().flush();
        return failed ? BuildsExitCode.UNFIT : ExitCode.OK;
    }

    private Check isolation(Settings settings) throws IOException {
        List<Path> hidden = new ArrayList<>();
        try {
            hidden.addAll(flags.shared.secretFiles(settings));
        } catch (UsageException e) {
            // told by the check of the token, or of the master
        }
        try {
            Isolation found = Isolation.of(isolation.options(hidden), around.environment(), List.of());
            boolean none = found.name().equals("none");
            boolean root = Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
            String detail = found.name()
                    + (none ? ": scripts can do whatever this user can" : "")
                    + (found.shortcoming().isEmpty() ? "" : "; no sandbox: " + found.shortcoming())
                    + (root ? "; this user is root, whose scripts can read all of /etc: run the agent as another" : "");
            return new Check("isolation", none || root ? State.WARNING : State.OK, detail);
        } catch (IOException e) {
            return new Check("isolation", State.FAILED, FailureMessages.describe(e));
        }
    }

    /** Looks for the limits that are asked for; for all, if none is. */
    private Check limits() {
        Limits asked = limits.limits();
        boolean any = !asked.isNone();
        try {
            Path group = ControlGroups.check(any ? asked : ALL_LIMITS);
            return new Check(
                    "limits",
                    State.OK,
                    (any ? "can be held" : "could be held: memory, processes, cpus") + "; group=" + group);
        } catch (LimitsMissingException e) {
            return new Check("limits", any ? State.FAILED : State.WARNING, String.valueOf(e.getMessage()));
        }
    }

    private Check git() throws IOException {
        Optional<Path> git = Programs.find("git", around.environment());
        if (git.isEmpty()) {
            return new Check("git", State.WARNING, "not on the PATH; needed for ssh, submodules and attributes");
        }
        QuietCommand.Report report = QuietCommand.report(List.of(git.get().toString(), "--version"), MAX_GIT);
        State state = report.exitCode() == 0 ? State.OK : State.FAILED;
        return new Check("git", state, report.output().strip() + " path=" + git.get());
    }

    private Check disk(Settings settings) throws IOException {
        Path folder = existing(settings);
        long free = Files.getFileStore(folder).getUsableSpace();
        State state = free < MIN_FREE_BYTES ? State.WARNING : State.OK;
        return new Check("disk", state, "freeBytes=" + free + " folder=" + folder);
    }

    private Check token(Settings settings) {
        Optional<Path> file = flags.shared.tokenPath(settings);
        if (!flags.shared.hasToken(settings)) {
            return new Check("token", State.SKIPPED, "no token is given");
        }
        try {
            flags.shared.checkToken(settings);
            String where = file.map(path -> "file=" + path + " is accessible by its owner only")
                    .orElse("from the environment; a file is better");
            return new Check("token", State.OK, where);
        } catch (UsageException e) {
            return new Check("token", State.FAILED, String.valueOf(e.getMessage()));
        }
    }

    private Check master(Settings settings) throws IOException, InterruptedException {
        Optional<String> url = settings.find(flags.master, "MASTER_URL");
        if (url.isEmpty()) {
            return new Check("master", State.SKIPPED, "no master is given");
        }
        try {
            flags.connect(settings).close();
            return new Check("master", State.OK, "reached master=" + url.get());
        } catch (UsageException | BuildException | IllegalArgumentException e) {
            return new Check("master", State.FAILED, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the agent's folder or, as long as that is missing, the nearest one above it. */
    private Path existing(Settings settings) {
        Path folder = around.folder()
                .toAbsolutePath()
                .resolve(settings.find(workspace, "SLAVE_WORKSPACE").orElse(""));
        while (!Files.isDirectory(folder) && folder.getParent() != null) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static String text(List<Check> checks) {
        StringBuilder text = new StringBuilder();
        for (Check check : checks) {
            text.append(
                    String.format(Locale.ROOT, "%-8s %-9s %s%n", check.state().text(), check.name(), check.detail()));
        }
        return text.toString();
    }

    private static String json(List<Check> checks, boolean ok) throws IOException {
        List<Map<String, String>> all = new ArrayList<>();
        for (Check check : checks) {
            Map<String, String> one = new LinkedHashMap<>();
            one.put("name", check.name());
            one.put("state", check.state().text());
            one.put("detail", check.detail());
            all.add(one);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("ok", ok);
        document.put("checks", all);
        return new ObjectMapper().writeValueAsString(document) + "\n";
    }
}
