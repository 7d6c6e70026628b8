/** The search service of the price index, over HTTP. */
module dev.touchstone.index.server {
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires transitive dev.touchstone.index;
    requires com.hazelcast.core;
    requires dev.touchstone.cli;
    requires dev.touchstone.index.hazelcast;
    requires dev.touchstone.index.loader;
    requires com.fasterxml.jackson.core;
    requires dev.touchstone.queue;
    requires info.picocli;
    requires io.netty.buffer;
    requires io.netty.codec.http;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.unix.common;
    requires io.netty.codec;
    requires micrometer.core;
    requires micrometer.registry.prometheus;

    exports dev.touchstone.index.server.access;
    exports dev.touchstone.index.server.api;
    exports dev.touchstone.index.server.api.handler;
    exports dev.touchstone.index.server.http;
    exports dev.touchstone.index.server.store;

    opens dev.touchstone.index.server to
            info.picocli;
}
