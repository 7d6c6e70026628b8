/** Meters of queues in a Micrometer registry. */
module dev.touchstone.queue.micrometer {
    requires static org.jspecify;
    requires transitive dev.touchstone.queue;
    requires micrometer.core;

    exports dev.touchstone.queue.micrometer;
}
