package dev.touchstone.builds;

import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The master that a client connects to, and the connection. Immutable.
 *
 * @param master {@code builds://host:port}, or {@code host:port}
 * @param token what the master wants to be known; never printed
 * @param tls context of the connection's TLS, which a master on another machine wants; empty for a plain connection
 * @param tick heartbeat: the silence after which the connection counts as lost
 * @param connectTimeout how long the first connection may take
 * @param patience how long a lost connection is tried to be made again before all that waits fails
 */
public record ConnectOptions(
        String master,
        Token token,
        Optional<SSLContext> tls,
        Duration tick,
        Duration connectTimeout,
        Duration patience) {
    /**
     * Returns options with the defaults: no TLS, a heartbeat of 15 s, 10 s to connect, and an hour of patience.
     *
     * @param master as {@link #master}; not null
     * @param token by which the master knows who connects; not null
     * @return new options
     */
    public static ConnectOptions of(String master, Token token) {
        return new ConnectOptions(
                master, token, Optional.empty(), Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofHours(1));
    }

    /**
     * Returns these options with TLS.
     *
     * @param context that knows the master's certificate; not null
     * @return new options
     */
    public ConnectOptions withTls(SSLContext context) {
        return new ConnectOptions(master, token, Optional.of(context), tick, connectTimeout, patience);
    }

    /**
     * Returns these options with another patience.
     *
     * @param time for which a lost connection is tried to be made again; not null
     * @return new options
     */
    public ConnectOptions withPatience(Duration time) {
        return new ConnectOptions(master, token, tls, tick, connectTimeout, time);
    }
}
