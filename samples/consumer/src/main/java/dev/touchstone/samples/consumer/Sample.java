package dev.touchstone.samples.consumer;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A use of one artefact; throws an exception if it fails. */
interface Sample {
    /** Uses the artefact; may write below {@code folder}, which is empty. */
    void run(Path folder) throws Exception;

    /** Throws where {@code actual} is not {@code expected}. */
    static void check(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new IllegalStateException("expected=" + expected + " got=" + actual);
        }
    }

    /** Returns the samples by the name of their artefact. */
    static Map<String, Sample> all() {
        Map<String, Sample> all = new LinkedHashMap<>();
        all.put("queue", new QueueSample());
        all.put("messaging", new MessagingSample());
        all.put("serialization-codec and -processor", new SerializationSample());
        all.put("serialization-hazelcast", new HazelcastSample());
        all.put("serialization-json", new JsonSample());
        all.put("index-core", new IndexSample());
        all.put("index-hazelcast", new ClusterSample());
        all.put("index-loader", new LoaderSample());
        all.put("index-server", new ServerSample());
        all.put("builds", new BuildsSample());
        return all;
    }
}
