package dev.touchstone.builds.web;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.net.httpserver.Headers;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Caller;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Knows who sends a request: by the header {@code Authorization: Bearer} with a token, or by the cookie of a browser that has logged in with one. What
 * the token's file says counts in each request. Thread-safe.
 */
final class Logins {
    /*
     * Who calls:  threads of requests.
     * Invariants: a login is a token's digest, name and roles and gives no right itself: whether the token still counts is asked of `access` in each
     *             request.
     * Ordering:   `access` is asked without the lock.
     */
    private static final int MAX_LOGINS = 1_000;
    private static final int MAX_OF_TOKEN = 100; // of these, so that nobody ends those of all others
    private static final int ID_BYTES = 16;
    private static final String BEARER = "Bearer ";

    private final Access access;
    private final String cookie;
    private final Pattern sent;
    private final SecureRandom random = new SecureRandom();

    @GuardedBy("this")
    private final Map<String, Caller> byId = new LinkedHashMap<>(); // the oldest first

    /**
     * Creates the logins of a server.
     *
     * @param port the server's, since browsers send a cookie to all ports of a machine
     */
    Logins(Access access, int port) {
        this.access = access;
        this.cookie = "builds-" + port;
        this.sent = Pattern.compile("(?:^|;) *" + cookie + "=([0-9a-f]{" + 2 * ID_BYTES + "})(?:;|$)");
    }

    /** Returns who sends a request with these headers; null if it is nobody who may be a client. */
    @Nullable
    Caller of(Headers headers) {
        String shown = headers.getFirst("Authorization");
        if (shown != null) {
            return shown.startsWith(BEARER) ? client(shown.substring(BEARER.length())) : null;
        }
        String id = id(headers);
        Caller caller;
        synchronized (this) {
            caller = byId.get(id);
        }
        return caller != null && access.isValid(caller) ? caller : null;
    }

    private @Nullable Caller client(String token) {
        Caller caller = access.find(token);
        return caller != null && caller.mayBeClient() ? caller : null;
    }

    private @Nullable String id(Headers headers) {
        String cookies = headers.getFirst("Cookie");
        Matcher found = sent.matcher(cookies == null ? "" : cookies);
        return found.find() ? found.group(1) : null;
    }

    /** Begins a login, and returns the cookie that the browser is to send, or null if the token is none of a client. The oldest login of the token may end. */
    @Nullable
    String begin(String token) {
        Caller caller = client(token);
        if (caller == null) {
            return null;
        }
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = HexFormat.of().formatHex(bytes);
        synchronized (this) {
            List<String> own = new ArrayList<>();
            byId.forEach((other, of) -> {
                if (of.equals(caller)) {
                    own.add(other);
                }
            });
            if (own.size() >= MAX_OF_TOKEN) {
                byId.remove(own.get(0));
            } else if (byId.size() >= MAX_LOGINS) {
                byId.remove(byId.keySet().iterator().next());
            }
            byId.put(id, caller);
        }
        return cookie(id, "");
    }

    /** Ends the login of a request, and returns the cookie that has the browser forget it. */
    String end(Headers headers) {
        String id = id(headers);
        synchronized (this) {
            byId.remove(id);
        }
        return cookie("", "; Max-Age=0");
    }

    private String cookie(String id, String more) {
        return cookie + "=" + id + "; Path=/; HttpOnly; SameSite=Strict" + more;
    }
}
