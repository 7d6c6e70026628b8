/** CI builds: a master that queues jobs, agents that run them, clients that hand them over and follow their output. */
module dev.touchstone.builds {
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires dev.touchstone.messaging;
    requires dev.touchstone.cli;
    requires dev.touchstone.queue;
    requires com.fasterxml.jackson.databind;
    requires com.google.protobuf;
    requires info.picocli;
    requires io.grpc;
    requires io.grpc.okhttp;
    requires io.grpc.protobuf;
    requires io.grpc.services;
    requires io.grpc.stub;
    requires java.logging;
    requires java.net.http;
    requires jdk.httpserver;
    requires lettuce.core;
    requires org.eclipse.jgit;
    requires org.java_websocket;
    requires org.snakeyaml.engine;

    exports dev.touchstone.builds;
    exports dev.touchstone.builds.connect;

    opens dev.touchstone.builds.cli to
            info.picocli;
    opens dev.touchstone.builds.wire.v1 to
            com.google.protobuf;
    opens dev.touchstone.builds.hook to
            com.fasterxml.jackson.databind;
    opens dev.touchstone.builds.web to
            com.fasterxml.jackson.databind;
}
