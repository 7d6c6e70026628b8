package dev.touchstone.messaging.erlang;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeBuilder;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An epmd of its own for a class of tests, Erlang nodes that know each other by it, and builders of ours that do. All processes end with
 * the class. Skips the class where there is no {@code erl}.
 */
final class ErlangLab implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final List<ErlangNode> started = new ArrayList<>();
    private @Nullable EpmdProcess epmd;
    private @Nullable ErlangNode shared;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        String unused = ErlangInstall.require("erl", "erlang-base");
        epmd = EpmdProcess.start();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (shared != null) {
            shared.expect("lab:flush()", "ok");
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        started.forEach(ErlangNode::close);
        started.clear();
        shared = null; // for a class whose failed tests are tried again
        if (epmd != null) {
            epmd.close();
        }
    }

    int epmdPort() {
        return epmd().getPort();
    }

    private InetSocketAddress epmd() {
        return Objects.requireNonNull(epmd, "epmd").address();
    }

    /** The node that all tests of the class share; what one has left in its command loop's queue is gone before the next. */
    ErlangNode erl() throws IOException {
        if (shared == null) {
            shared = erlang();
        }
        return shared;
    }

    /** Another node with a short name. */
    ErlangNode erlang(String... flags) throws IOException {
        return erlang(freshName("erl", "localhost"), flags);
    }

    ErlangNode erlang(NodeName name, String... flags) throws IOException {
        ErlangNode node = ErlangNode.start(name, epmdPort(), flags);
        started.add(node);
        return node;
    }

    /** A node of ours with a short name, to be closed by the caller. */
    Node java() throws IOException {
        return builder(freshName("java", "localhost")).start();
    }

    NodeBuilder builder(NodeName name) {
        return Node.builder(name.toString())
                .cookie(Cookie.of(ErlangNode.COOKIE))
                .epmd(epmd())
                .embeddedEpmd(false);
    }

    /** A name that no other node of this JVM has. */
    static NodeName freshName(String prefix, String host) {
        return new NodeName(prefix + NAMES.incrementAndGet(), host);
    }

    /** As Erlang writes it in an expression. */
    static String quoted(NodeName name) {
        return "'" + name + "'";
    }
}
