package dev.touchstone.builds.web;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Figures of a master at one moment. Immutable.
 *
 * @param queued number of jobs that wait for an agent
 * @param running number of jobs that an agent has
 * @param ended number of jobs that have ended since the master started, by {@link dev.touchstone.builds.BuildCode}; noops too
 * @param agents number of agents that are connected
 * @param executors number of their executors
 * @param busy number of executors that have a build
 * @param clients number of clients that are connected by gRPC
 * @param logBytes number of bytes of all logs that are kept
 * @param refused number of calls and connections of gRPC that were not let in since the master started
 * @param malformed number of streams that a message has ended since the master started
 * @param oldestMillis time for which the oldest waiting job has waited; 0 if none waits
 * @param journalEvents number of records that the journal has
 */
public record MasterFigures(
        int queued,
        int running,
        Map<String, Long> ended,
        int agents,
        int executors,
        int busy,
        int clients,
        long logBytes,
        long refused,
        long malformed,
        long oldestMillis,
        long journalEvents) {
    /** Copies the map. */
    public MasterFigures {
        ended = Map.copyOf(ended);
    }

    /**
     * Returns the figures in the text format 0.0.4 of Prometheus.
     *
     * @param webRefused number of requests that the web server did not let in since it started
     */
    String toPrometheus(long webRefused) {
        Text text = new Text();
        text.family("builds_jobs_queued", "gauge", "Jobs that wait for an agent.")
                .value(queued);
        text.family("builds_jobs_running", "gauge", "Jobs that an agent has.").value(running);
        text.family("builds_jobs_ended_total", "counter", "Jobs that have ended since the master started, by result.");
        new TreeMap<>(ended).forEach((code, count) -> text.value("result", code.toLowerCase(Locale.ROOT), count));
        text.family("builds_queue_oldest_seconds", "gauge", "Time for which the oldest waiting job has waited.")
                .value(oldestMillis / 1000.0);
        text.family("builds_agents", "gauge", "Agents that are connected.").value(agents);
        text.family("builds_executors", "gauge", "Executors of connected agents.")
                .value(executors);
        text.family("builds_executors_busy", "gauge", "Executors that have a build.")
                .value(busy);
        text.family("builds_clients", "gauge", "Clients that are connected by gRPC.")
                .value(clients);
        text.family("builds_log_bytes", "gauge", "Bytes of all logs that are kept.")
                .value(logBytes);
        text.family("builds_refused_calls_total", "counter", "Calls that were not let in since the start.");
        text.value("by", "rpc", refused);
        text.value("by", "web", webRefused);
        text.family("builds_malformed_messages_total", "counter", "Streams that a message has ended since the start.")
                .value(malformed);
        text.family("builds_journal_events", "gauge", "Records that the journal has.")
                .value(journalEvents);
        return text.all.toString();
    }

    /** Writes the lines. For one thread. */
    private static final class Text {
        private final StringBuilder all = new StringBuilder();
        private String name = "";

        private Text family(String newName, String type, String help) {
            name = newName;
            all.append("# HELP ").append(name).append(' ').append(help).append('\n');
            all.append("# TYPE ").append(name).append(' ').append(type).append('\n');
            return this;
        }

        private void value(Number value) {
            all.append(name).append(' ').append(value).append('\n');
        }

        private void value(String label, String of, Number value) {
            all.append(name)
                    .append('{')
                    .append(label)
                    .append("=\"")
                    .append(of)
                    .append("\"} ")
                    .append(value);
            all.append('\n');
        }
    }
}
