/** The price index on the members of a Hazelcast cluster. */
module dev.touchstone.index.hazelcast {
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires com.hazelcast.core;
    requires transitive dev.touchstone.index;

    exports dev.touchstone.index.hazelcast;
}
