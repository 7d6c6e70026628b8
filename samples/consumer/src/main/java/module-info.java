/** A program that requires every module of Touchstone. */
module samples.consumer {
    requires com.hazelcast.core;
    requires dev.touchstone.builds;
    requires dev.touchstone.cli;
    requires dev.touchstone.harness;
    requires dev.touchstone.index;
    requires dev.touchstone.index.hazelcast;
    requires dev.touchstone.index.loader;
    requires dev.touchstone.index.server;
    requires dev.touchstone.messaging;
    requires dev.touchstone.messaging.micrometer;
    requires dev.touchstone.queue;
    requires dev.touchstone.queue.cli;
    requires dev.touchstone.queue.micrometer;
    requires dev.touchstone.serialization;
    requires dev.touchstone.serialization.cli;
    requires dev.touchstone.serialization.hazelcast;
    requires dev.touchstone.serialization.json;
    requires java.net.http;
    requires jinterface;
    requires micrometer.core;
}
