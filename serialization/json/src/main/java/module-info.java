/** Records of Compact serialization as JSON, and JSON as records. */
module dev.touchstone.serialization.json {
    requires static org.jspecify;
    requires transitive dev.touchstone.serialization;
    requires com.fasterxml.jackson.core;

    exports dev.touchstone.serialization.json;
}
