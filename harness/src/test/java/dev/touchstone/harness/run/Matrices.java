package dev.touchstone.harness.run;

/** A matrix with every feature, as text and read. */
public final class Matrices {
    public static final String SAMPLE = """
            {
              "schema": 1,
              "commonFlags": ["-Xmx1g"],
              "flagSets": {"opens": ["--add-opens=a/b=ALL-UNNAMED"]},
              "subjects": {
                "OURS": {"label": "ours", "level": "durable", "config": "default"},
                "PEER": {"label": "peer", "level": "durable", "flags": "opens", "config": "default"},
                "CEILING": {"label": "disk", "level": "durable", "flags": null, "config": "raw"}
              },
              "workloads": [
                {"id": "write", "part": "queue", "title": "Write", "benchmark": "b.Write.write", "params": {},
                 "threads": [1, 8], "ours": "OURS", "peers": ["PEER"],
                 "ceiling": {"subject": "CEILING", "threads": 1, "timesThreads": true},
                 "quick": {"threads": [8], "peers": ["PEER"]}, "perOperation": {"forces": "forces"}},
                {"id": "mixed", "part": "queue", "title": "Mixed", "benchmark": "b.Mixed.group",
                 "params": {"size": "SMALL"}, "threads": [], "ours": "OURS", "peers": ["PEER"],
                 "ceiling": {"subject": "CEILING", "threads": 4, "timesThreads": false},
                 "perOperation": {}}
              ],
              "seedRows": [{"seed": "f#t/r", "workload": "write", "threads": 1, "ours": "OURS", "peer": "PEER"}]
            }
            """;

    private Matrices() {}

    public static Matrix sample() {
        try {
            return MatrixReader.parse("sample", SAMPLE);
        } catch (MatrixException e) {
            throw new AssertionError(e);
        }
    }
}
