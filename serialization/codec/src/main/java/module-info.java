/** The Compact binary format, byte for byte Hazelcast's: no run-time dependency, no JVM flag, no reflection. */
module dev.touchstone.serialization {
    requires static org.jspecify;

    exports dev.touchstone.serialization;
    exports dev.touchstone.serialization.annotation;
    exports dev.touchstone.serialization.container;
    exports dev.touchstone.serialization.exception;
    exports dev.touchstone.serialization.schema;
}
