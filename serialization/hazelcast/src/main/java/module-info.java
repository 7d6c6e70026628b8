/** Objects in Hazelcast's maps as this project's codec writes and reads them. */
module dev.touchstone.serialization.hazelcast {
    requires com.hazelcast.core;
    requires transitive dev.touchstone.serialization;
    requires static org.jspecify;

    exports dev.touchstone.serialization.hazelcast;
}
