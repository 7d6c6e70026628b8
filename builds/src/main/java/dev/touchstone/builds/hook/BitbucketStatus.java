package dev.touchstone.builds.hook;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/** Build statuses of the REST API of Bitbucket Cloud. */
final class BitbucketStatus implements CommitStatus {
    @Override
    public HttpRequest.Builder request(Hook.Target target, Push push, StatusReport report) {
        Map<String, String> body = new LinkedHashMap<>();
        body.put(
                "state",
                switch (report.state()) {
                    case PENDING, RUNNING -> "INPROGRESS";
                    case SUCCESS -> "SUCCESSFUL";
                    case FAILURE -> "FAILED";
                    case ERROR -> "STOPPED";
                });
        body.put("key", report.context());
        body.put("name", report.context());
        body.put("description", report.text());
        URI link = report.link();
        body.put("url", link == null ? "https://bitbucket.org/" + push.project() : link.toString()); // is required
        String path = "/repositories/" + push.project() + "/commit/" + push.commit() + "/statuses/build";
        return CommitStatus.post(target, path, body)
                .header("Authorization", "Bearer " + target.token().text());
    }
}
