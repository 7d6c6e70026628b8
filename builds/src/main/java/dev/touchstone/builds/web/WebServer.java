package dev.touchstone.builds.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.hook.Hook;
import dev.touchstone.builds.hook.HookAnswer;
import dev.touchstone.builds.hook.Hooks;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page and what it asks for. It binds to loopback and answers only to a loopback name in the Host header, so that no page of another
 * site can reach it through a name that resolves to here; what changes something needs a token in its header, or the page's cookie and a header that other
 * sites cannot send. All but the page's own files and the description of the API needs a token, see {@link Logins}. Thread-safe.
 *
 * <p>Whoever waits for a log or follows a job has a thread while that lasts; {@link Api} and {@link Places} bound their number, after which others are told
 * to come again. A request must be here within {@value #MAX_REQUEST_SECONDS} s; connections for which there is no thread are closed.
 */
public final class WebServer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(WebServer.class.getName());

    private static final int MAX_THREADS = 256;
    private static final int MAX_REQUESTS =
            192; // fewer: who stops to read keeps a thread, and forges and logins need some
    private static final int MAX_REQUESTS_OF_TOKEN = 128;
    private static final int MAX_REQUEST_SECONDS = 10;
    private static final int MAX_TOKEN_BYTES = 1_024;
    private static final String REQUEST_SECONDS = "sun.net.httpserver.maxReqTime";
    private static final int MAX_RESPONSE_SECONDS = 600;
    private static final String RESPONSE_SECONDS = "sun.net.httpserver.maxRspTime";
    private static final String CONNECTIONS = "jdk.httpserver.maxConnections";
    private static final int MAX_CONNECTIONS = 1_024;
    private static final String NO_DELAY = "sun.net.httpserver.nodelay";
    private static final String CONNECTION = "Connection";
    private static final Pattern LOCAL = Pattern.compile("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]{1,5})?");
    private static final Map<String, String> FILES = Map.of(
            "/", "index.html",
            "/app.js", "app.js",
            "/log.js", "log.js",
            "/app.css", "app.css",
            "/icon.svg", "icon.svg");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "json", "application/json");

    private final HttpServer server;
    private final Logins logins;
    private final Api api;
    private final Hooks hooks;
    private final Refusals refusals = new Refusals();
    private final Places requests = new Places(MAX_REQUESTS, MAX_REQUESTS_OF_TOKEN);
    private final Bodies deliveries = new Bodies();
    private final ThreadPoolExecutor threads;

    private WebServer(BuildsView view, Access access, HttpServer server, Hooks hooks) {
        this.hooks = hooks;
        this.api = new Api(view, refusals);
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
        return start(view, access, port, List.of(), null);
    }

    /**
     * Starts on a port of loopback.
     *
     * @param access who may see and do what; not null
     * @param port TCP port, 0 for any that is free
     * @param known what forges may have built
     * @param reports path of a folder that has the builds of which forges are still to be told; null if a restart may forget them
     * @throws IllegalArgumentException if two hooks have the same name
     */
    public static WebServer start(BuildsView view, Access access, int port, List<Hook> known, @Nullable Path reports)
            throws IOException {
        Hooks hooks = new Hooks(known, new HookedJobs(view), reports);
        set(NO_DELAY, "true"); // else the body of an answer waits 40 ms for its head to be confirmed
        limit(CONNECTIONS, MAX_CONNECTIONS); // else those that say nothing take all descriptors of the master
        limit(REQUEST_SECONDS, MAX_REQUEST_SECONDS); // else half a request keeps its thread for ever
        limit(RESPONSE_SECONDS, MAX_RESPONSE_SECONDS); // and so does an answer that is not read
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        WebServer web = new WebServer(view, access, server, hooks);
        server.createContext("/", web::answer);
        server.setExecutor(web.threads); // a task that it rejects ends its connection
        server.start();
        return web;
    }

    private static void limit(String property, int most) {
        set(property, Integer.toString(most));
    }

    private static void set(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        hooks.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (Reply reply = new Reply(exchange)) {
            reply.set(CONNECTION, "close");
            try {
                route(reply);
            } catch (Problem e) {
                refusals.add(reply, e);
                reply.problem(e);
            } catch (IllegalStateException e) {
                LOG.log(Logger.Level.WARNING, "request is not answered: path=" + Problem.shown(reply.path()), e);
                if (reply.isBegun()) {
                    throw new IOException("answer is broken off: path=" + Problem.shown(reply.path()), e);
                }
                reply.problem(Problem.of(503, "the master does not answer"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void route(Reply reply) throws IOException, InterruptedException, Problem {
        String host = reply.header("Host");
        if (host == null || !LOCAL.matcher(host).matches()) {
            throw Problem.of(403, "only by a name of this machine", Problem.Place.HEADER, "Host", host);
        }
        String file = FILES.get(reply.path());
        if (file != null && reply.method().equals("GET")) {
            file(reply, file);
            return;
        }
        Endpoint endpoint = endpoint(reply);
        if (endpoint.rights() == Endpoint.Rights.NONE) {
            open(endpoint, reply);
            return;
        }
        Caller caller = logins.of(reply.headers());
        if (caller == null) {
            reply.set("WWW-Authenticate", "Bearer");
            throw Problem.of(401, "log in with a token of a client");
        }
        if (reply.method().equals("POST") && reply.header("Authorization") == null) {
            checkOurPage(reply);
        }
        if (reply.header("Transfer-Encoding")
                == null) { // the library takes the length of a chunk modulo 2^32: what follows may be a part of it
            reply.remove(CONNECTION);
        }
        requests.enter(reply, caller, "requests");
        try {
            api.answer(
                    endpoint,
                    reply,
                    endpoint.variable(reply.path()),
                    caller,
                    () -> caller.equals(logins.of(reply.headers())));
        } finally {
            requests.leave(caller);
        }
    }

    private static Endpoint endpoint(Reply reply) throws Problem {
        List<Endpoint> ofPath = Endpoint.of(reply.path());
        for (Endpoint endpoint : ofPath) {
            if (endpoint.method().equals(reply.method())) {
                return endpoint;
            }
        }
        boolean isFile = FILES.containsKey(reply.path());
        if (ofPath.isEmpty() && !isFile) {
            throw Problem.of(404, "nothing has this path: path=" + Problem.shown(reply.path()));
        }
        String allowed =
                isFile ? "GET" : ofPath.stream().map(Endpoint::method).sorted().collect(Collectors.joining(", "));
        reply.set("Allow", allowed);
        throw Problem.of(405, "expected " + allowed + ": method=" + Problem.shown(reply.method()));
    }

    /** Refuses a change that a page of another site may have sent, with the cookie that browsers add. */
    private static void checkOurPage(Reply reply) throws Problem {
        if (reply.header("X-Touchstone") == null) {
            throw Problem.of(
                    403,
                    "a change by a cookie needs a header that no other site can send",
                    Problem.Place.HEADER,
                    "X-Touchstone");
        }
        String origin = reply.header("Origin");
        if (origin != null && !origin.equals("http://" + reply.header("Host"))) {
            throw Problem.of(403, "a change comes from another site", Problem.Place.HEADER, "Origin", origin);
        }
    }

    /** Answers who need not be known. */
    private void open(Endpoint endpoint, Reply reply) throws IOException, Problem {
        switch (endpoint) {
            case HOOK -> hook(reply, String.valueOf(endpoint.variable(reply.path())));
            case OPEN_API -> file(reply, "openapi.json");
            case LOGIN -> login(reply);
            case LOGOUT -> {
                checkOurPage(reply);
                reply.set("Set-Cookie", logins.end(reply.headers()));
                reply.json(200, Map.of());
            }
            default -> throw new IllegalArgumentException("endpoint=" + endpoint);
        }
    }

    /** Takes a delivery of a forge, whoever has sent it: few at once, since nobody is known before the whole body is here. */
    private void hook(Reply reply, String name) throws IOException, Problem {
        Hook hook =
                hooks.find(name).orElseThrow(() -> Problem.of(404, "no such hook", Problem.Place.PATH, "name", name));
        deliveries.read(reply, body -> take(hook, reply, body));
    }

    private void take(Hook hook, Reply reply, byte[] body) throws IOException, Problem {
        try {
            HookAnswer answer = hooks.receive(hook, reply::header, body);
            reply.json(answer.jobs().isEmpty() ? 200 : 202, answer);
        } catch (SecurityException e) {
            throw Problem.of(403, "delivery to hook=" + hook.name() + " is not the forge's: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw Problem.of(400, "not a delivery of the forge: " + e.getMessage());
        } catch (BuildException e) {
            throw Api.refusal(reply, e);
        }
    }

    private void login(Reply reply) throws IOException, Problem {
        checkOurPage(reply);
        String cookie = logins.begin(new String(reply.body(MAX_TOKEN_BYTES), StandardCharsets.UTF_8).strip());
        if (cookie == null) {
            throw Problem.of(401, "not a token of a client");
        }
        reply.set("Set-Cookie", cookie);
        reply.json(200, Map.of());
    }

    private static void file(Reply reply, String name) throws IOException {
        try (InputStream in = WebServer.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing resource=" + name);
            }
            byte[] bytes = in.readAllBytes();
            reply.send(200, TYPES.getOrDefault(name.substring(name.indexOf('.') + 1), ""), bytes, bytes.length);
        }
    }
}
