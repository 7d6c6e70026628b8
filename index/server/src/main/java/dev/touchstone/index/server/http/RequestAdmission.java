package dev.touchstone.index.server.http;

import dev.touchstone.index.server.access.Access;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.http.ResponseWriter.Form;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Methods that read the head of a request: its route, and whether it is refused. Stateless. */
final class RequestAdmission {
    private static final int MISDIRECTED = 421;
    private static final int MAX_SHOWN = 100;
    private static final byte[] NONE = {};

    private RequestAdmission() {}

    /** Returns the route of the target of a request, or null. */
    static @Nullable Route route(String uri) {
        return Route.of(path(uri));
    }

    /** Returns the parameters in the target of a request; no bytes if its route has none. */
    static byte[] parameters(String uri, @Nullable Route route) {
        return route == null || !route.hasParameters()
                ? NONE
                : route.parameters(path(uri)).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the path of the target of a request. */
    private static String path(String uri) {
        int from = 0;
        int host = authority(uri);
        if (host > 0) {
            from = uri.indexOf('/', host);
            if (from < 0) {
                return Route.PAGE.path();
            }
        }
        int query = uri.indexOf('?', from);
        return from == 0 && query < 0 ? uri : uri.substring(from, query < 0 ? uri.length() : query);
    }

    /** Returns the index of the authority in a target of the form that proxies use, or 0. */
    private static int authority(String uri) {
        if (!uri.regionMatches(true, 0, "http", 0, 4)) {
            return 0;
        }
        return uri.startsWith("://", 4) ? 7 : uri.regionMatches(true, 4, "s://", 0, 4) ? 8 : 0;
    }

    /**
     * Returns whether the head of a request is refused, or answered by itself; if so, the answer holds the reason.
     *
     * @param at address at which the request arrived
     */
    static boolean isRefused(
            HttpRequest request, @Nullable Route route, Shared shared, SocketAddress at, Response answer) {
        InetAddress local = at instanceof InetSocketAddress address ? address.getAddress() : null;
        if (shared.isClosing()) {
            answer.busy("stopping");
            return true;
        }
        if (isForeign(request)) {
            answer.refuse(505, "HTTP/1.1 is expected");
            return true;
        }
        if (isMisdirected(request, shared.access, local, answer)) {
            return true;
        }
        if (route == null) {
            answer.refuse(404, "no such route; /openapi.json lists them");
            return true;
        }
        if (isPreflight(request, shared.access)) { // which has no token
            permit(route, answer);
            return true;
        }
        if (!isAllowed(request.method(), route)) {
            answer.refuse(405, "another method is expected");
            answer.header("allow", route.method().equals("GET") ? "GET, HEAD" : route.method());
            return true;
        }
        return isForbidden(request.headers(), route, shared, answer) || isUnfit(request.headers(), route, answer);
    }

    /** Returns whether a request does not name this service as its host. */
    private static boolean isMisdirected(
            HttpRequest request, Access access, @Nullable InetAddress local, Response answer) {
        Iterator<String> hosts = request.headers().valueStringIterator(HttpHeaderNames.HOST);
        if (!hosts.hasNext()) {
            if (!isOld(request)) {
                answer.refuse(400, "header is missing: name=host");
                return true;
            }
            return false; // HTTP/1.0 has no such header, and no browser sends it
        }
        String host = hosts.next();
        if (hosts.hasNext()) {
            answer.refuse(400, "header stands twice: name=host");
            return true;
        }
        String uri = request.uri();
        int from = authority(uri);
        if (from > 0 && access.isHost(host, local)) {
            int to = uri.indexOf('/', from);
            host = uri.substring(from, to < 0 ? uri.length() : to);
        }
        if (access.isHost(host, local)) {
            return false;
        }
        answer.refuse(MISDIRECTED, "not a name of this service: host='" + shown(host) + "'; --allowed-host adds names");
        return true;
    }

    private static String shown(String text) {
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "\u2026" : text;
    }

    /** Returns whether the client has not the right to ask, or its page has not. */
    private static boolean isForbidden(HttpHeaders headers, Route route, Shared shared, Response answer) {
        switch (shared.access.verdict(route, headers.get(HttpHeaderNames.AUTHORIZATION))) {
            case MISSING -> challenge(401, "a bearer token is expected", "", answer);
            case UNKNOWN -> challenge(401, "the token is not known", ", error=\"invalid_token\"", answer);
            case FORBIDDEN -> {
                String role = route.role().name().toLowerCase(Locale.ROOT);
                String error = ", error=\"insufficient_scope\", scope=\"" + role + "\"";
                challenge(403, "the token has not the role: role=" + role, error, answer);
            }
            case ALLOWED -> {
                String origin = headers.get(HttpHeaderNames.ORIGIN);
                if (!route.isChange() || origin == null || isOwn(origin, headers, shared)) {
                    return false;
                }
                answer.refuse(
                        403,
                        "a page of another site: origin='" + shown(origin) + "'; --cors-origin allows its requests");
            }
        }
        return true;
    }

    private static void challenge(int status, String message, String error, Response answer) {
        answer.refuse(status, message);
        answer.header("www-authenticate", "Bearer realm=\"index-server\"" + error);
    }

    private static boolean isOwn(String origin, HttpHeaders headers, Shared shared) {
        return shared.access.isOrigin(origin)
                || origin.equalsIgnoreCase(shared.scheme() + "://" + headers.get(HttpHeaderNames.HOST));
    }

    /** Returns whether the body or the expectations of a request are not ones that a route has. */
    private static boolean isUnfit(HttpHeaders headers, Route route, Response answer) {
        if (isEncoded(headers.get(HttpHeaderNames.CONTENT_ENCODING))) {
            answer.refuse(415, "a body without content-encoding is expected");
        } else if (route.isChange() && !isJson(headers.get(HttpHeaderNames.CONTENT_TYPE))) {
            answer.refuse(415, "content-type application/json is expected");
        } else {
            String expected = headers.get(HttpHeaderNames.EXPECT);
            if (expected == null || expected.equalsIgnoreCase("100-continue")) {
                return false;
            }
            answer.refuse(417, "header is not understood: name=expect");
        }
        return true;
    }

    private static boolean isAllowed(HttpMethod method, Route route) {
        return method.name().equals(route.method())
                || (method.equals(HttpMethod.HEAD) && route.method().equals("GET"));
    }

    private static boolean isEncoded(@Nullable String encoding) {
        return encoding != null && !encoding.equalsIgnoreCase("identity");
    }

    private static boolean isJson(@Nullable String type) {
        if (type == null) {
            return false;
        }
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end))
                .strip()
                .toLowerCase(Locale.ROOT)
                .equals("application/json");
    }

    /** Returns whether a request is HTTP/1.0; what is later than HTTP/1.1 counts as that. */
    private static boolean isOld(HttpRequest request) {
        return request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0;
    }

    /** Returns whether a request is of another protocol, as the one with which a connection of HTTP/2 begins. */
    private static boolean isForeign(HttpRequest request) {
        return request.protocolVersion().majorVersion() != 1;
    }

    /** Returns the form of the answer to a request, if it is not refused. */
    static Form form(HttpRequest request, @Nullable Route route, Shared shared) {
        boolean isKept = HttpUtil.isKeepAlive(request) && !isForeign(request) && !shared.isClosing();
        boolean isOld = isOld(request);
        boolean isHead = request.method().equals(HttpMethod.HEAD);
        boolean isChunked = route != null && route.isChunked() && !isOld;
        boolean mayPack = !isOld && !isHead && Gzip.isAccepted(request.headers().get(HttpHeaderNames.ACCEPT_ENCODING));
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        String headers = origin != null && shared.access.isOrigin(origin) ? cors(origin) : "";
        boolean isPlain = isKept && !isOld && !isHead && !isChunked && !mayPack && headers.isEmpty();
        return isPlain ? Form.PLAIN : new Form(isKept, isOld, isHead, isChunked, mayPack, headers);
    }

    /** Returns the headers that let a page of another site read an answer. */
    private static String cors(String origin) {
        return "access-control-allow-origin: " + origin
                + "\r\naccess-control-expose-headers: etag, retry-after, www-authenticate, x-index-version\r\nvary: origin\r\n";
    }

    /** Returns whether a browser asks for a page of an allowed origin what it may send. */
    private static boolean isPreflight(HttpRequest request, Access access) {
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        return request.method().equals(HttpMethod.OPTIONS)
                && request.headers().contains(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD)
                && origin != null
                && access.isOrigin(origin);
    }

    /** Fills an answer with what a page may send to a route; {@link #form} adds the rest. */
    private static void permit(Route route, Response answer) {
        answer.reset();
        answer.header("access-control-allow-methods", route.method());
        answer.header("access-control-allow-headers", "authorization, content-type");
        answer.header("access-control-max-age", "600");
    }

    /** Returns the maximum length of the body of a request in bytes. */
    static int mostBytes(@Nullable Route route, Limits limits) {
        return route != null && route.isBulk() ? limits.bulkBodyBytes() : limits.bodyBytes();
    }

    /**
     * Returns whether the body of a request has a transfer coding other than {@code chunked} alone, which would be taken for the body itself; if so,
     * the answer holds the reason. The decoder refuses those whose end cannot be found, for {@code chunked} is not the last one.
     */
    static boolean isCoded(HttpHeaders headers, Response answer) {
        if (!headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
            return false;
        }
        String codings = String.join(", ", headers.getAll(HttpHeaderNames.TRANSFER_ENCODING));
        if (codings.equalsIgnoreCase("chunked")) {
            return false;
        }
        answer.refuse(501, "transfer-encoding chunked is expected: transfer-encoding='" + shown(codings) + "'");
        return true;
    }

    /** Returns the length of the body that a request announces in bytes; 0 if it announces none. */
    static long announced(HttpRequest request) {
        try {
            return HttpUtil.getContentLength(request, 0L);
        } catch (NumberFormatException e) {
            return 0; // the decoder refuses it
        }
    }

    /** Fills an answer with the reason why bytes are not a request. */
    static void damaged(Throwable cause, Response answer) {
        if (cause instanceof TooLongHttpLineException) {
            answer.refuse(414, "first line is too long");
        } else if (cause instanceof TooLongHttpHeaderException) {
            answer.refuse(431, "headers are too large");
        } else {
            answer.refuse(400, "no HTTP request");
        }
    }
}
