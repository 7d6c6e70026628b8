package dev.touchstone.jinterface;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A live Erlang node that evaluates expressions; ends with the test. Skips the test where there is no {@code erl}. */
final class ErlangShell implements AutoCloseable {
    static final String COOKIE = "secret";

    private static final String ANSWER = "@@";
    private static final String LOOP = String.join(
            " ",
            "L = fun L() -> case io:get_line(\"\") of eof -> halt(); Line ->",
            "{ok, T, _} = erl_scan:string(Line), {ok, E} = erl_parse:parse_exprs(T),",
            "V = try {value, X, _} = erl_eval:exprs(E, []), X catch C:R -> {raised, C, R} end,",
            "io:format(\"" + ANSWER + "~w~n\", [V]), L() end end, L().");

    private final Process process;
    private final Writer commands;
    private final BufferedReader answers;

    private ErlangShell(Process process) {
        this.process = process;
        commands = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static ErlangShell start(String name, int epmdPort) throws IOException {
        boolean installed = Arrays.stream(
                        System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "erl")));
        Assumptions.assumeTrue(installed, "erl is missing: apt-get install erlang-base");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        "erl",
                        "-sname",
                        name,
                        "-setcookie",
                        COOKIE,
                        "-start_epmd",
                        "false",
                        "-kernel",
                        "inet_dist_use_interface",
                        "{127,0,0,1}",
                        "-noshell",
                        "-eval",
                        LOOP))
                .redirectErrorStream(true);
        builder.environment().put("ERL_EPMD_PORT", Integer.toString(epmdPort));
        builder.environment().put("HOME", Path.of("target").toAbsolutePath().toString());
        builder.environment().put("ERL_CRASH_DUMP_BYTES", "0");
        return new ErlangShell(builder.start());
    }

    /** Evaluates expressions; returns the last one's value as Erlang writes it. Variables are forgotten, processes stay. */
    String ask(String expressions) throws IOException {
        commands.write(expressions.replace('\n', ' ') + ".\n");
        commands.flush();
        StringBuilder said = new StringBuilder();
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(ANSWER)) {
                return line.substring(ANSWER.length());
            }
            said.append(line).append('\n');
        }
        throw new IOException("Erlang has ended: asked=" + expressions + "\n" + said);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        try {
            boolean unused = process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        answers.close();
    }
}
