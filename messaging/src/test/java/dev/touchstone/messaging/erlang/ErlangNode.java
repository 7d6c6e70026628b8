package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.identity.NodeName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A live Erlang node: {@code erl} with the module {@code lab}, whose command loop evaluates what this sends. The loop is the process
 * {@code lab}: what is sent to that name waits for the {@code receive} of a later expression. Ends with the test's JVM at the latest.
 */
final class ErlangNode implements AutoCloseable {
    static final String COOKIE = "touchstone";

    private static final int KEPT_LINES = 60;
    private static final String VALUE = "@@value ";
    private static final String RAISED = "@@raised ";
    private static final String READY = "@@ready ";

    private final NodeName name;
    private final Process process;
    private final OutputStream commands;
    private final CompletableFuture<String> ready = new CompletableFuture<>();
    private final Queue<CompletableFuture<String>> asked = new ConcurrentLinkedQueue<>();
    private final Deque<String> log = new ArrayDeque<>();

    private ErlangNode(NodeName name, Process process) {
        this.name = name;
        this.process = process;
        this.commands = process.getOutputStream();
        Thread reader = new Thread(this::readAnswers, "erl " + name.alive());
        reader.setDaemon(true);
        reader.start();
    }

    /** @param flags further ones of {@code erl} */
    static ErlangNode start(NodeName name, int epmdPort, String... flags) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ErlangInstall.require("erl", "erlang-base"),
                name.isLong() ? "-name" : "-sname",
                name.toString(),
                "-setcookie",
                COOKIE,
                "-start_epmd",
                "false",
                "-kernel",
                "inet_dist_use_interface",
                name.host().indexOf(':') < 0 ? "{127,0,0,1}" : "{0,0,0,0,0,0,0,1}",
                "-noshell",
                "-pa",
                ErlangInstall.codeFolder().toString()));
        command.addAll(List.of(flags));
        command.addAll(List.of("-s", "lab"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ERL_EPMD_PORT", Integer.toString(epmdPort));
        builder.environment().put("HOME", ErlangInstall.codeFolder().toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("ERL_CRASH_DUMP_BYTES", "0");
        ErlangNode node = new ErlangNode(name, builder.start());
        try {
            node.get(node.ready, "start");
            return node;
        } catch (AssertionError e) {
            node.close();
            throw e;
        }
    }

    NodeName name() {
        return name;
    }

    /** The value of the last of these expressions, as Erlang prints it. */
    String ask(String expressions) {
        return get(begin(expressions), expressions);
    }

    /** Like {@link #ask}, without waiting: expressions are evaluated in turn. */
    CompletableFuture<String> begin(String expressions) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        byte[] line = (expressions + ".").getBytes(StandardCharsets.UTF_8);
        try {
            synchronized (commands) {
                asked.add(answer);
                commands.write(Base64.getEncoder().encode(line));
                commands.write('\n');
                commands.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("node=" + name + " takes no commands\n" + log(), e);
        }
        return answer;
    }

    void expect(String expressions, String value) {
        assertThat(ask(expressions)).as(() -> expressions + "\n" + log()).isEqualTo(value);
    }

    /** Returns once an expression is true. */
    void await(String condition) {
        expect("lab:until(fun() -> " + condition + " end)", "true");
    }

    /** What was asked with {@link #begin}. */
    String get(CompletableFuture<String> answer, String expressions) {
        try {
            return answer.get(60, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new AssertionError("node=" + name + " asked=" + expressions + "\n" + log(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private void readAnswers() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line);
            }
        } catch (IOException e) {
            take("reading failed: " + e);
        }
        IOException gone = new IOException("node=" + name + " has ended");
        ready.completeExceptionally(gone);
        for (CompletableFuture<String> left = asked.poll(); left != null; left = asked.poll()) {
            left.completeExceptionally(gone);
        }
    }

    private void take(String line) {
        if (line.startsWith(READY)) {
            ready.complete("");
        } else if (line.startsWith(VALUE)) {
            asked.remove().complete(decoded(line.substring(VALUE.length())));
        } else if (line.startsWith(RAISED)) {
            asked.remove().completeExceptionally(new IllegalStateException(decoded(line.substring(RAISED.length()))));
        } else {
            synchronized (log) {
                log.add(line);
                if (log.size() > KEPT_LINES) {
                    log.remove();
                }
            }
        }
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private String log() {
        synchronized (log) {
            return String.join("\n", log);
        }
    }

    /** Kills the process as {@code kill -9} does; the system closes its sockets. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).as("killed").isTrue();
    }

    /** Stops the process where it is; its sockets stay open. */
    void suspend() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        ErlangInstall.run("kill", "-" + signal, Long.toString(process.pid()));
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
