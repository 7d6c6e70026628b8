package dev.touchstone.builds.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page and what it asks for. It binds to loopback and answers only to a loopback name in the Host header, so that no page of another
 * site can reach it through a name that resolves to here; what changes something needs a header that other sites cannot send. Thread-safe.
 *
 * <p>A reader of a log asks for bytes from an offset on, and may wait for them: one thread while it waits, {@value #MAX_THREADS} at most, after
 * which others are told to come again.
 */
public final class WebServer implements AutoCloseable {
    /** The most bytes of a log in one answer. */
    static final int MAX_BYTES = 1 << 20;

    private static final int MAX_THREADS = 64;
    private static final int MAX_JOBS = 500;
    private static final Duration MAX_WAIT = Duration.ofSeconds(20);
    private static final Pattern JOB = Pattern.compile("/api/jobs/([A-Za-z0-9_.-]{1,100})(|/log|/raw|/cancel)");
    private static final Pattern LOCAL = Pattern.compile("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]{1,5})?");
    private static final Map<String, String> FILES = Map.of(
            "/", "index.html",
            "/app.js", "app.js",
            "/app.css", "app.css",
            "/icon.svg", "icon.svg");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    private final BuildsView view;
    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final ObjectMapper json = new ObjectMapper();

    private WebServer(BuildsView view, HttpServer server) {
        this.view = view;
        this.server = server;
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(0, MAX_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "builds-web-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Starts on a port of loopback; 0 for any that is free. */
    public static WebServer start(BuildsView view, int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        WebServer web = new WebServer(view, server);
        server.createContext("/", web::answer);
        server.setExecutor(task -> {
            try {
                web.threads.execute(task);
            } catch (RejectedExecutionException e) {
                // all wait for logs: on the server's own thread, which such an exchange must not keep
                web.crowded.set(true);
                try {
                    task.run();
                } finally {
                    web.crowded.remove();
                }
            }
        });
        server.start();
        return web;
    }

    private final ThreadLocal<Boolean> crowded = ThreadLocal.withInitial(() -> false);

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String host = exchange.getRequestHeaders().getFirst("Host");
            if (host == null || !LOCAL.matcher(host).matches()) {
                error(exchange, 403, "only by a name of this machine: host=" + shown(host));
            } else if (Boolean.TRUE.equals(crowded.get())) {
                exchange.getResponseHeaders().set("Retry-After", "1");
                error(exchange, 503, "too many readers at once: most=" + MAX_THREADS);
            } else {
                routeOrRefuse(exchange);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void routeOrRefuse(HttpExchange exchange) throws IOException, InterruptedException {
        try {
            route(exchange);
        } catch (IllegalArgumentException e) {
            error(exchange, 400, String.valueOf(e.getMessage()));
        }
    }

    private void route(HttpExchange exchange) throws IOException, InterruptedException {
        String path = exchange.getRequestURI().getPath();
        Matcher job = JOB.matcher(path);
        boolean isPost = exchange.getRequestMethod().equals("POST");
        if (!isPost && !exchange.getRequestMethod().equals("GET")) {
            exchange.getResponseHeaders().set("Allow", "GET, POST");
            error(exchange, 405, "method=" + shown(exchange.getRequestMethod()));
        } else if (job.matches()) {
            Optional<JobSummary> found = view.job(job.group(1));
            if (found.isEmpty()) {
                error(exchange, 404, "no such job: id=" + job.group(1));
            } else if (isPost != job.group(2).equals("/cancel")) {
                error(exchange, 405, "method=" + exchange.getRequestMethod() + " path=" + path);
            } else {
                ofJob(exchange, found.get(), job.group(2));
            }
        } else if (isPost) {
            error(exchange, 404, "path=" + shown(path));
        } else if (path.equals("/api/jobs")) {
            value(exchange, 200, view.jobs(MAX_JOBS));
        } else if (path.equals("/api/agents")) {
            value(exchange, 200, view.agents());
        } else if (FILES.containsKey(path)) {
            file(exchange, FILES.getOrDefault(path, ""));
        } else {
            error(exchange, 404, "path=" + shown(path));
        }
    }

    private void ofJob(HttpExchange exchange, JobSummary job, String what) throws IOException, InterruptedException {
        switch (what) {
            case "/log" -> part(exchange, job);
            case "/raw" -> whole(exchange, job);
            case "/cancel" -> {
                if (exchange.getRequestHeaders().getFirst("X-Touchstone") == null) {
                    error(exchange, 403, "a cancel needs the header X-Touchstone, which no other site can send");
                } else {
                    value(exchange, 200, Map.of("cancelled", view.cancel(job.id())));
                }
            }
            default -> value(exchange, 200, job);
        }
    }

    /** Bytes from an offset on, after a wait for the first of them if that is asked for. */
    private void part(HttpExchange exchange, JobSummary job) throws IOException, InterruptedException {
        long offset = number(exchange, "offset", Long.MAX_VALUE);
        int length = (int) Math.min(MAX_BYTES, number(exchange, "length", MAX_BYTES));
        long wait = number(exchange, "wait", MAX_WAIT.toMillis());
        if (wait > 0 && offset >= job.logBytes() && !job.over()) {
            view.awaitLog(job.id(), offset, Duration.ofMillis(wait));
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && view.readLog(job.id(), offset + bytes.position(), bytes) > 0) {
            // until there is no more
        }
        JobSummary now = view.job(job.id()).orElse(job);
        exchange.getResponseHeaders().set("X-Log-Bytes", Long.toString(now.logBytes()));
        exchange.getResponseHeaders().set("X-Job-Over", Boolean.toString(now.over()));
        send(exchange, 200, "application/octet-stream", bytes.array(), bytes.position());
    }

    private void whole(HttpExchange exchange, JobSummary job) throws IOException {
        head(exchange, "text/plain; charset=utf-8");
        exchange.getResponseHeaders().set("Content-Disposition", "attachment; filename=\"" + job.id() + ".log\"");
        exchange.sendResponseHeaders(200, 0);
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        try (OutputStream out = exchange.getResponseBody()) {
            long offset = 0;
            while (view.readLog(job.id(), offset, bytes) > 0) {
                out.write(bytes.array(), 0, bytes.position());
                offset += bytes.position();
                bytes.clear();
            }
        }
    }

    private static long number(HttpExchange exchange, String name, long most) {
        String query = exchange.getRequestURI().getRawQuery();
        Matcher found = Pattern.compile("(?:^|&)" + name + "=([^&]*)").matcher(query == null ? "" : query);
        if (!found.find()) {
            return name.equals("length") ? most : 0;
        }
        String text = found.group(1);
        if (!text.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("not a number: " + name + "=" + shown(text));
        }
        return Math.min(Long.parseLong(text), most);
    }

    private void file(HttpExchange exchange, String name) throws IOException {
        try (InputStream in = WebServer.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing resource=" + name);
            }
            byte[] bytes = in.readAllBytes();
            send(exchange, 200, TYPES.getOrDefault(name.substring(name.indexOf('.') + 1), ""), bytes, bytes.length);
        }
    }

    private void value(HttpExchange exchange, int status, Object value) throws IOException {
        byte[] bytes = json.writeValueAsBytes(value);
        send(exchange, status, "application/json", bytes, bytes.length);
    }

    private void error(HttpExchange exchange, int status, String message) throws IOException {
        value(exchange, status, Map.of("error", message));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] bytes, int length)
            throws IOException {
        head(exchange, type);
        exchange.sendResponseHeaders(status, length == 0 ? -1 : length);
        if (length > 0) {
            exchange.getResponseBody().write(bytes, 0, length);
        }
    }

    private static void head(HttpExchange exchange, String type) {
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'");
    }

    /** A text of a stranger, fit for a message. */
    private static String shown(@Nullable String text) {
        String some = text == null ? "none" : text.replaceAll("[^\\x20-\\x7e]", "?");
        return some.length() > 80 ? some.substring(0, 80) + "..." : some;
    }
}
