package dev.touchstone.builds.hook;

import java.net.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/** Commit statuses of GitLab's REST API. */
final class GitlabStatus implements CommitStatus {
    @Override
    public HttpRequest.Builder request(Hook.Target target, Push push, StatusReport report) {
        Map<String, String> body = new LinkedHashMap<>();
        body.put(
                "state",
                switch (report.state()) {
                    case PENDING -> "pending";
                    case RUNNING -> "running";
                    case SUCCESS -> "success";
                    case FAILURE -> "failed";
                    case ERROR -> "canceled";
                });
        body.put("ref", push.branch());
        body.put("name", report.context());
        body.put("description", report.text());
        if (report.link() != null) {
            body.put("target_url", report.link().toString());
        }
        String path = "/projects/" + CommitStatus.encoded(push.project()) + "/statuses/" + push.commit();
        return CommitStatus.post(target, path, body)
                .header("PRIVATE-TOKEN", target.token().text());
    }
}
