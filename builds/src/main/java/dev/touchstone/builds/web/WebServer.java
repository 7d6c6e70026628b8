package dev.touchstone.builds.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Caller;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page and what it asks for. It binds to loopback and answers only to a loopback name in the Host header, so that no page of another
 * site can reach it through a name that resolves to here; what changes something needs a header that other sites cannot send. All but the page's own
 * files needs a token, see {@link Logins}. Thread-safe.
 *
 * <p>A reader of a log asks for bytes from an offset on, and may wait for them: one thread while it waits, {@value #MAX_WAITING} at most, after
 * which others are told to come again. A request must be here within {@value #MAX_REQUEST_SECONDS} s; connections for which there is no thread are closed.
 */
public final class WebServer implements AutoCloseable {
    /** The most bytes of a log in one answer. */
    static final int MAX_BYTES = 1 << 20;

    private static final int MAX_THREADS = 256;
    private static final int MAX_WAITING = 64;
    private static final int MAX_REQUEST_SECONDS = 10;
    private static final int MAX_TOKEN_BYTES = 1_024;
    private static final String REQUEST_SECONDS = "sun.net.httpserver.maxReqTime";
    private static final int MAX_RESPONSE_SECONDS = 600;
    private static final String RESPONSE_SECONDS = "sun.net.httpserver.maxRspTime";
    private static final String CONNECTION = "Connection";
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
    private final Logins logins;
    private final Semaphore waiting = new Semaphore(MAX_WAITING);
    private final ThreadPoolExecutor threads;
    private final ObjectMapper json = new ObjectMapper();

    private WebServer(BuildsView view, Access access, HttpServer server) {
        this.view = view;
        this.server = server;
        this.logins = new Logins(access, server.getAddress().getPort());
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(0, MAX_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "builds-web-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts on a port of loopback.
     *
     * @param access who may see and do what; not null
     * @param port TCP port, 0 for any that is free
     */
    public static WebServer start(BuildsView view, Access access, int port) throws IOException {
        limit(REQUEST_SECONDS, MAX_REQUEST_SECONDS); // else half a request keeps its thread for ever
        limit(RESPONSE_SECONDS, MAX_RESPONSE_SECONDS); // and so does an answer that is not read
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        WebServer web = new WebServer(view, access, server);
        server.createContext("/", web::answer);
        server.setExecutor(web.threads); // a task that it rejects ends its connection
        server.start();
        return web;
    }

    private static void limit(String property, int seconds) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(seconds));
        }
    }

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
            exchange.getResponseHeaders().set(CONNECTION, "close");
            String host = exchange.getRequestHeaders().getFirst("Host");
            if (host == null || !LOCAL.matcher(host).matches()) {
                error(exchange, 403, "only by a name of this machine: host=" + shown(host));
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
        boolean isPost = exchange.getRequestMethod().equals("POST");
        if (!isPost && !exchange.getRequestMethod().equals("GET")) {
            exchange.getResponseHeaders().set("Allow", "GET, POST");
            error(exchange, 405, "method=" + shown(exchange.getRequestMethod()));
        } else if (isPost && !isOfOurPage(exchange)) {
            error(
                    exchange,
                    403,
                    "a change needs the header X-Touchstone, which no other site can send, and no Origin but this");
        } else if (FILES.containsKey(path) && !isPost) {
            file(exchange, FILES.getOrDefault(path, ""));
        } else if (path.equals("/api/login") && isPost) {
            login(exchange);
        } else if (path.equals("/api/logout") && isPost) {
            exchange.getResponseHeaders().set("Set-Cookie", logins.end(exchange.getRequestHeaders()));
            value(exchange, 200, Map.of());
        } else if (!path.startsWith("/api/")) {
            error(exchange, 404, "path=" + shown(path));
        } else {
            Caller caller = logins.of(exchange.getRequestHeaders());
            if (caller == null) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                error(exchange, 401, "log in with a token of a client");
            } else {
                exchange.getResponseHeaders().remove(CONNECTION);
                api(exchange, path, isPost, caller);
            }
        }
    }

    private static boolean isOfOurPage(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        String origin = headers.getFirst("Origin");
        return headers.getFirst("X-Touchstone") != null
                && (origin == null || origin.equals("http://" + headers.getFirst("Host")));
    }

    private void login(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_TOKEN_BYTES);
        String cookie = logins.begin(new String(body, StandardCharsets.UTF_8).strip());
        if (cookie == null) {
            error(exchange, 401, "not a token of a client");
        } else {
            exchange.getResponseHeaders().set("Set-Cookie", cookie);
            value(exchange, 200, Map.of());
        }
    }

    private void api(HttpExchange exchange, String path, boolean isPost, Caller caller)
            throws IOException, InterruptedException {
        Matcher job = JOB.matcher(path);
        if (job.matches()) {
            Optional<JobSummary> found = view.job(caller, job.group(1));
            if (found.isEmpty()) {
                error(exchange, 404, "no such job for this token: id=" + job.group(1));
            } else if (isPost != job.group(2).equals("/cancel")) {
                error(exchange, 405, "method=" + exchange.getRequestMethod() + " path=" + path);
            } else {
                ofJob(exchange, caller, found.get(), job.group(2));
            }
        } else if (isPost) {
            error(exchange, 404, "path=" + shown(path));
        } else if (path.equals("/api/jobs")) {
            value(exchange, 200, view.jobs(caller, MAX_JOBS));
        } else if (path.equals("/api/agents")) {
            value(exchange, 200, view.agents());
        } else {
            error(exchange, 404, "path=" + shown(path));
        }
    }

    private void ofJob(HttpExchange exchange, Caller caller, JobSummary job, String what)
            throws IOException, InterruptedException {
        switch (what) {
            case "/log" -> part(exchange, caller, job);
            case "/raw" -> whole(exchange, job);
            case "/cancel" -> {
                if (caller.mayCancel(job.owner())) {
                    value(exchange, 200, Map.of("cancelled", view.cancel(caller, job.id())));
                } else {
                    error(exchange, 403, "token may not cancel builds of others: token=" + caller);
                }
            }
            default -> value(exchange, 200, job);
        }
    }

    /** Bytes from an offset on, after a wait for the first of them if that is asked for. */
    private void part(HttpExchange exchange, Caller caller, JobSummary job) throws IOException, InterruptedException {
        long offset = number(exchange, "offset", Long.MAX_VALUE);
        int length = (int) Math.min(MAX_BYTES, number(exchange, "length", MAX_BYTES));
        long wait = number(exchange, "wait", MAX_WAIT.toMillis());
        if (wait > 0 && offset >= job.logBytes() && !job.over()) {
            if (!waiting.tryAcquire()) {
                exchange.getResponseHeaders().set("Retry-After", "1");
                error(exchange, 503, "too many readers at once: most=" + MAX_WAITING);
                return;
            }
            try {
                view.awaitLog(job.id(), offset, Duration.ofMillis(wait));
            } finally {
                waiting.release();
            }
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && view.readLog(job.id(), offset + bytes.position(), bytes) > 0) {
            // until there is no more
        }
        JobSummary now = view.job(caller, job.id()).orElse(job);
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
