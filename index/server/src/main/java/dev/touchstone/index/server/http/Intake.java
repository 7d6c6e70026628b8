package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Answer;
import dev.touchstone.index.server.api.Limits;
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
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Methods that read the head of a request: its route, and whether it is refused. Stateless. */
final class Intake {
    private Intake() {}

    /** Returns the route of the target of a request, or null. */
    static @Nullable Route route(String uri) {
        int from = 0;
        if (uri.startsWith("http://")) { // the form that proxies use
            from = uri.indexOf('/', "http://".length());
            if (from < 0) {
                return Route.PAGE;
            }
        }
        int query = uri.indexOf('?', from);
        String path = from == 0 && query < 0 ? uri : uri.substring(from, query < 0 ? uri.length() : query);
        return Route.of(path);
    }

    /** Returns whether the head of a request is refused; if so, the answer holds the reason. */
    static boolean isRefused(HttpRequest request, @Nullable Route route, Shared shared, Answer answer) {
        HttpHeaders headers = request.headers();
        if (shared.isClosing()) {
            answer.busy("stopping");
        } else if (route == null) {
            answer.refuse(404, "no such route; /openapi.json lists them");
        } else if (!isAllowed(request.method(), route)) {
            answer.refuse(405, "another method is expected");
            answer.header("allow", route.method().equals("GET") ? "GET, HEAD" : route.method());
        } else if (request.protocolVersion().equals(HttpVersion.HTTP_1_1) && !headers.contains(HttpHeaderNames.HOST)) {
            answer.refuse(400, "header is missing: name=host");
        } else if (isEncoded(headers.get(HttpHeaderNames.CONTENT_ENCODING))) {
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

    /** Returns the form of the answer to a request, if it is not refused. */
    static Form form(HttpRequest request, @Nullable Route route, boolean isClosing) {
        boolean isKept = HttpUtil.isKeepAlive(request) && !isClosing;
        boolean isOld = !request.protocolVersion().equals(HttpVersion.HTTP_1_1);
        boolean isHead = request.method().equals(HttpMethod.HEAD);
        boolean isChunked = route != null && route.isChunked() && !isOld;
        return isKept && !isOld && !isHead && !isChunked ? Form.PLAIN : new Form(isKept, isOld, isHead, isChunked);
    }

    /** Returns the maximum length of the body of a request in bytes. */
    static int mostBytes(@Nullable Route route, Limits limits) {
        return route != null && route.isBulk() ? limits.bulkBodyBytes() : limits.bodyBytes();
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
    static void damaged(Throwable cause, Answer answer) {
        if (cause instanceof TooLongHttpLineException) {
            answer.refuse(414, "first line is too long");
        } else if (cause instanceof TooLongHttpHeaderException) {
            answer.refuse(431, "headers are too large");
        } else {
            answer.refuse(400, "no HTTP request");
        }
    }
}
