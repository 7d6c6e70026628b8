package dev.touchstone.benchmarks.builds.peer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A git repository whose branches all have the same script: the seed's, which prints {@value #LINES} lines by as many commands. */
public final class TestRepository {
    /** The script's path in the repository. */
    public static final String SCRIPT = "build.sh";

    /** Number of lines that the seed's script prints. */
    public static final int LINES = 10_000;

    /** Bytes that the seed's script prints. */
    public static final int OUTPUT_BYTES = 220_000; // LINES of LINE

    /** Each of the lines that the seed's script prints. */
    public static final String LINE = "a line of the build..\n";

    private static final int PATIENCE_SECONDS = 60;

    private final Path folder;
    private final List<String> branches = new ArrayList<>();

    private TestRepository(Path folder) {
        this.folder = folder;
    }

    /** Makes one with the seed's script in {@code branches} branches. */
    public static TestRepository create(Path folder, int branches) throws IOException {
        return create(folder, branches, seedScript());
    }

    /** The seed's script. */
    public static String seedScript() {
        return ("echo '" + LINE.strip() + "'\n").repeat(LINES);
    }

    /** Makes one with a script of these lines for bash. */
    public static TestRepository create(Path folder, int branches, String script) throws IOException {
        TestRepository made = new TestRepository(Files.createDirectories(folder));
        made.git("init", "--quiet", "--initial-branch=b0");
        made.commit(script);
        for (int i = 0; i < branches; i++) {
            made.branches.add("b" + i);
            if (i > 0) {
                made.git("branch", "b" + i);
            }
        }
        return made;
    }

    /** Puts another script into the first branch; what is fetched from now on has it. */
    public void commit(String script) throws IOException {
        Files.writeString(folder.resolve(SCRIPT), script);
        git("add", "--all");
        git("commit", "--quiet", "--message", "script");
    }

    /** Returns the URL that the repository is cloned from. */
    public String url() {
        return "git+file://" + folder;
    }

    /** Its folder, which the repository is below. */
    public Path folder() {
        return folder;
    }

    /** A branch, the same again after all of them. */
    public String branch(int index) {
        return branches.get(index % branches.size());
    }

    private void git(String... arguments) throws IOException {
        List<String> words =
                new ArrayList<>(List.of("git", "-c", "user.name=bench", "-c", "user.email=bench@localhost"));
        words.addAll(List.of("-c", "commit.gpgSign=false", "-c", "gc.auto=0"));
        words.addAll(List.of(arguments));
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        process.getInputStream().transferTo(said);
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(
                        "git fails: arguments=" + words + " said=" + said.toString(StandardCharsets.UTF_8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroy();
        }
    }
}
