/** Meters of nodes in a Micrometer registry. */
module dev.touchstone.messaging.micrometer {
    requires static org.jspecify;
    requires transitive dev.touchstone.messaging;
    requires micrometer.core;

    exports dev.touchstone.messaging.micrometer;
}
