package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.SentBytes;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.data.RequestBodies;
import dev.touchstone.benchmarks.index.http.ServedSubject;
import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.SemanticCheck;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.infra.Control;

/** A check of one subject that answers over HTTP: its bytes on the wire, and its answers to another client. */
record HttpCheck(ServedSubject type, int connections, int items) implements SemanticCheck {
    private static final int SINGLE_CALLS = 2_000;
    private static final int BULK_CALLS = 8;
    private static final int SEARCHES = 4; // that another client asks for
    private static final double PART = 0.9; // of the bytes that a mean answer has

    @Override
    public String observes() {
        return "bytes of requests and answers, by the kernel's count for the connections of client and server; "
                + (type.ceiling()
                        ? "the length of an answer to another client"
                        : "the prices in answers to another client, beside a comparison of each price");
    }

    @Override
    public Optional<String> unobserved() {
        return SentBytes.missing();
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        PriceHttpBenchmark benchmark = new PriceHttpBenchmark();
        benchmark.subject = type;
        benchmark.connections = connections;
        benchmark.items = items;
        benchmark.start();
        try {
            checkBytes(benchmark);
            checkAnswers(benchmark.address());
        } finally {
            benchmark.stop();
        }
    }

    private void checkBytes(PriceHttpBenchmark benchmark) throws CheckFailedException, IOException {
        int calls = items == 1 ? SINGLE_CALLS : BULK_CALLS;
        long requestBytes = bodies(1).get(0).length;
        PriceHttpBenchmark.Asking asking = new PriceHttpBenchmark.Asking();
        asking.connect(benchmark, 0, 1);
        long before = SentBytes.now();
        Control control = new Control();
        for (int i = 0; i < calls; i++) {
            asking.ask(control);
        }
        asking.end();
        long sent = SentBytes.now() - before;
        asking.close();
        long expected = (long) (calls * PART * (requestBytes + type.answerBytes(items)));
        if (SentBytes.missing().isEmpty() && sent < expected) {
            throw new CheckFailedException(
                    "expected at least " + expected + " bytes sent by client and server, got " + sent);
        }
    }

    private void checkAnswers(InetSocketAddress server) throws CheckFailedException, IOException {
        PriceData.Numbered numbered = PriceData.SEED.prices(Integer.MAX_VALUE);
        int each = items == 1 ? 1 : SEARCHES / 2;
        List<byte[]> bodies = bodies(each).subList(0, SEARCHES / each);
        List<Long> expected = type.ceiling()
                ? List.of()
                : AnsweredPrices.expected(PriceData.SEED.index(List.of()), numbered, numbered, SEARCHES);
        for (int i = 0; i < bodies.size(); i++) {
            byte[] answer = post(server, bodies.get(i));
            if (!type.ceiling()) {
                AnsweredPrices.demand("answer " + i, answer, expected.subList(i * each, (i + 1) * each));
            } else if (answer.length != type.answerBytes(items)) {
                throw new CheckFailedException(
                        "expected an answer of bytes=" + type.answerBytes(items) + ", got " + answer.length);
            }
        }
    }

    private List<byte[]> bodies(int each) {
        return RequestBodies.of(type.path(items > 1)).seed(SEARCHES / each, each);
    }

    private byte[] post(InetSocketAddress server, byte[] body) throws IOException {
        URL url = new URL("http", server.getHostString(), server.getPort(), type.path(items > 1));
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        connection.setDoOutput(true);
        connection.setRequestProperty("content-type", "application/json");
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body);
        }
        try (InputStream in = connection.getInputStream()) {
            return in.readAllBytes();
        }
    }
}
