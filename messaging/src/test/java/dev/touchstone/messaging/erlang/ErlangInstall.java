package dev.touchstone.messaging.erlang;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The Erlang that is installed here, and our module for it. */
final class ErlangInstall {
    private static final Path FOLDER = Path.of("target", "erlang").toAbsolutePath();

    private ErlangInstall() {}

    /** Skips the test where a program of Erlang is missing; otherwise tells where it is. */
    static String require(String program, String debianPackage) {
        Optional<String> found = find(program);
        Assumptions.assumeTrue(found.isPresent(), program + " is missing: apt-get install " + debianPackage);
        return found.orElseThrow();
    }

    static Optional<String> find(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(Pattern.quote(File.pathSeparator), -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    /** The folder with the compiled module {@code lab}; also the home of all nodes, for their cookie file. */
    static Path codeFolder() {
        return Compiled.CODE;
    }

    /** Compiles once, when a node first asks. */
    private static final class Compiled {
        static final Path CODE = compile();

        private static Path compile() {
            try (InputStream source = ErlangInstall.class.getResourceAsStream("lab.erl")) {
                if (source == null) {
                    throw new IllegalStateException("missing resource=lab.erl");
                }
                Files.createDirectories(FOLDER);
                Path file = FOLDER.resolve("lab.erl");
                Files.copy(source, file, StandardCopyOption.REPLACE_EXISTING);
                run(require("erlc", "erlang-base"), "-W", "-o", FOLDER.toString(), file.toString());
                return FOLDER;
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException("lab.erl was not compiled", e);
            }
        }
    }

    /** Runs a program to its end. */
    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
            throw new IllegalStateException("exit code=" + code + " of " + String.join(" ", command) + "\n" + said);
        }
    }
}
