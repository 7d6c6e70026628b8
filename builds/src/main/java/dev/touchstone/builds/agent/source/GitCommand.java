package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.Command;
import dev.touchstone.builds.agent.process.Launcher;
import dev.touchstone.builds.agent.process.ProcessTree;
import dev.touchstone.builds.agent.process.Programs;
import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The git command, for what JGit cannot: ssh, credential helpers, attributes, names that are not UTF-8, submodules, large file storage. It reads
 * no configuration but the repository's, which the agent has written right before, and the operator's. It never asks anybody anything.
 */
final class GitCommand {
    /** Configuration file of an operator who gave none. */
    static final Path NO_CONFIG = Path.of("/dev/null");

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final int MAX_SAID = 600;

    /** Wins over every file that git reads, those of submodules too. */
    private static final List<String> FIXED = List.of(
            "core.hooksPath=/dev/null",
            "core.fsmonitor=false",
            "core.attributesFile=/dev/null",
            "core.excludesFile=/dev/null",
            "core.sparseCheckout=false",
            "fetch.unpackLimit=1",
            "fetch.recurseSubmodules=false",
            "submodule.recurse=false",
            "gc.auto=0",
            "maintenance.auto=false");

    private final Launcher launcher;
    private final Map<String, String> environment;
    private final Set<String> schemes;
    private final Path config;
    private final Path scratch;

    /**
     * Makes commands for one agent.
     *
     * @param environment what git and its helpers get of the agent's own
     * @param schemes that git may follow, in submodules too
     * @param config the operator's configuration file for git, which scripts must not be able to write; {@code /dev/null} for none
     * @param scratch folder for what it says
     */
    GitCommand(Launcher launcher, Map<String, String> environment, Set<String> schemes, Path config, Path scratch) {
        this.launcher = launcher;
        this.environment = environment;
        this.schemes = new TreeSet<>(schemes);
        this.config = config;
        this.scratch = scratch;
    }

    boolean has(String program) {
        return Programs.find(program, environment).isPresent();
    }

    /**
     * The repository that a command works on: nothing is looked for in the folders around it.
     *
     * @param tree the tree, or null for a mirror
     * @param index file of the index, or null for the repository's own
     */
    record Place(
            Path repository, @Nullable Path tree, @Nullable Path index) {}

    /** Runs git at {@code place}; throws with the end of what it said if it fails. */
    void run(Place place, List<String> arguments, String mark, StopSignal stop) throws IOException, StoppedException {
        Path git = Programs.find("git", environment)
                .orElseThrow(() -> new SourceException(
                        SourceException.Step.VCS, "git is not on the PATH, and this repository needs it", null));
        List<String> words = new ArrayList<>(List.of(git.toString()));
        words.addAll(arguments);
        Path folder = place.tree() == null ? place.repository() : place.tree();
        Path said = Files.createTempFile(scratch, "git", ".out");
        try {
            ProcessTree tree = launcher.start(
                    new Command(words, folder, variables(place), Redirect.appendTo(said.toFile()), mark));
            await(tree, stop);
            tree.sweep();
            if (tree.exitCode() != 0) {
                throw new SourceException(
                        SourceException.Step.PULL,
                        "git " + name(arguments) + " ended with exitCode=" + tree.exitCode() + ": " + end(said),
                        null);
            }
        } finally {
            Files.deleteIfExists(said);
        }
    }

    /** Returns the command's name, which follows options of git's own. */
    private static String name(List<String> arguments) {
        int option = arguments.lastIndexOf("-c");
        return arguments.get(option < 0 ? 0 : option + 2);
    }

    private static void await(ProcessTree tree, StopSignal stop) throws StoppedException {
        Thread waiter = Thread.currentThread();
        tree.onExit(() -> LockSupport.unpark(waiter));
        while (tree.isAlive()) {
            if (stop.isStopped()) {
                tree.terminate(GRACE, () -> {});
                stop.check();
            }
            LockSupport.parkNanos(tree, LOOK_NANOS);
        }
    }

    private Map<String, String> variables(Place place) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("LC_ALL", "C");
        all.put("GIT_DIR", place.repository().toString());
        if (place.tree() != null) {
            all.put("GIT_WORK_TREE", place.tree().toString());
        }
        if (place.index() != null) {
            all.put("GIT_INDEX_FILE", place.index().toString());
        }
        all.put("GIT_TERMINAL_PROMPT", "0");
        all.put("GIT_SSH_COMMAND", "ssh -oBatchMode=yes");
        all.put("GIT_ALLOW_PROTOCOL", String.join(":", schemes));
        all.put("GIT_CONFIG_NOSYSTEM", "1");
        all.put("GIT_CONFIG_GLOBAL", config.toString());
        all.put("GIT_ATTR_NOSYSTEM", "1");
        all.put("GIT_NO_REPLACE_OBJECTS", "1");
        all.put("GIT_NO_LAZY_FETCH", "1");
        all.put("GIT_LITERAL_PATHSPECS", "1");
        all.put("GIT_CONFIG_COUNT", Integer.toString(FIXED.size()));
        for (int i = 0; i < FIXED.size(); i++) {
            String[] entry = FIXED.get(i).split("=", 2);
            all.put("GIT_CONFIG_KEY_" + i, entry[0]);
            all.put("GIT_CONFIG_VALUE_" + i, entry[1]);
        }
        return all;
    }

    private static String end(Path said) throws IOException {
        String text = new String(Files.readAllBytes(said), StandardCharsets.UTF_8).strip();
        String end = text.length() > MAX_SAID ? "..." + text.substring(text.length() - MAX_SAID) : text;
        return end.replaceAll("\\s*\\R\\s*", "; ");
    }
}
