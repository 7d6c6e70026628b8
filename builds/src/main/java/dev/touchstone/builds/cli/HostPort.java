package dev.touchstone.builds.cli;

import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Reads an address to listen on. */
final class HostPort {
    private static final String LOOPBACK = "127.0.0.1";

    private HostPort() {}

    /**
     * Reads {@code host:port}, {@code [host]:port} or {@code port}, which is of loopback.
     *
     * @param option for messages; not null
     * @param text to read; not null
     * @return the address, looked up
     * @throws UsageException if it is none, or the host is unknown
     */
    static InetSocketAddress parse(String option, String text) {
        int colon = text.lastIndexOf(':');
        String host = colon > 0 ? text.substring(0, colon).replaceAll("^\\[|\\]$", "") : LOOPBACK;
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            Ranges.checkPort(option, port);
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (NumberFormatException e) {
            throw new UsageException(option + ": expected HOST:PORT, got " + text, e);
        } catch (UnknownHostException e) {
            throw new UsageException(option + ": host is unknown: host=" + host, e);
        }
    }
}
