package dev.touchstone.builds.master.journal;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.wire.RequestMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Takes the secrets out of requests before they are written, and puts them back. Stateless. */
final class SealedRequests {
    private static final byte[] NONE = {};

    private SealedRequests() {}

    /** Returns the event with the secrets of all requests encrypted, each bound to the first job of its request. */
    static Event seal(Event event, SecretKey key) {
        if (event instanceof Event.Batch batch) {
            return new Event.Batch(
                    batch.events().stream().map(part -> seal(part, key)).toList());
        }
        return event instanceof Event.Accepted accepted && accepted.hasSecrets() ? seal(accepted, key) : event;
    }

    private static Event.Accepted seal(Event.Accepted accepted, SecretKey key) {
        List<RequestMessage> requests = new ArrayList<>();
        List<byte[]> sealed = new ArrayList<>();
        long[] first = firstJobs(accepted);
        for (int i = 0; i < accepted.requests().size(); i++) {
            RequestMessage message = accepted.requests().get(i);
            BuildRequest request = message.request();
            byte[] known = accepted.isSealed() ? accepted.sealed().get(i) : NONE;
            requests.add(with(message, blanks(request)));
            if (request.secretNames().isEmpty()) {
                sealed.add(NONE);
            } else if (known.length == 0) {
                sealed.add(key.seal(first[i], secrets(request)));
            } else {
                sealed.add(rebind(known, first[i], key));
            }
        }
        return new Event.Accepted(
                accepted.submitter(),
                accepted.millis(),
                requests,
                accepted.jobs(),
                accepted.numbers(),
                accepted.which(),
                sealed);
    }

    /** Binds secrets to another job, because the one before is forgotten; leaves those that do not open as they are. */
    private static byte[] rebind(byte[] sealed, long job, SecretKey key) {
        long before = SecretKey.jobOf(sealed);
        if (before == job) {
            return sealed;
        }
        try {
            return key.seal(job, key.open(before, sealed));
        } catch (SecretsLostException e) {
            return sealed;
        }
    }

    /** Returns the request of a row, with its secrets. */
    static RequestMessage open(Event.Accepted accepted, int row, SecretKey key) throws SecretsLostException {
        int index = (int) accepted.which().get(row);
        RequestMessage message = accepted.requests().get(index);
        if (!accepted.isSealed() || message.request().secretNames().isEmpty()) {
            return message;
        }
        BuildRequest request = message.request();
        Map<String, String> values =
                key.open(firstJobs(accepted)[index], accepted.sealed().get(index));
        if (!values.keySet().equals(request.secretNames())) {
            throw new SecretsLostException("secrets of the job cannot be read: expected names=" + request.secretNames()
                    + " got=" + values.keySet());
        }
        return with(message, values);
    }

    private static long[] firstJobs(Event.Accepted accepted) {
        long[] first = new long[accepted.requests().size()];
        Arrays.fill(first, -1);
        for (int row = 0; row < accepted.jobs().size(); row++) {
            int index = (int) accepted.which().get(row);
            if (first[index] < 0) {
                first[index] = accepted.jobs().get(row);
            }
        }
        return first;
    }

    private static Map<String, String> secrets(BuildRequest request) {
        Map<String, String> values = new HashMap<>(request.environment());
        values.keySet().retainAll(request.secretNames());
        return values;
    }

    private static Map<String, String> blanks(BuildRequest request) {
        Map<String, String> blanks = new HashMap<>();
        request.secretNames().forEach(name -> blanks.put(name, ""));
        return blanks;
    }

    private static RequestMessage with(RequestMessage message, Map<String, String> values) {
        if (values.isEmpty()) {
            return message;
        }
        BuildRequest request = message.request();
        Map<String, String> environment = new HashMap<>(request.environment());
        environment.putAll(values);
        return RequestMessage.of(new BuildRequest(
                request.repository(),
                request.branch(),
                request.commit(),
                request.script(),
                request.runner(),
                request.label(),
                environment,
                request.secretNames(),
                request.noop(),
                request.durable(),
                request.output(),
                request.timeout(),
                request.queueTimeout(),
                request.maxLogBytes(),
                request.files()));
    }
}
