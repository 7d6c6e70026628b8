package dev.touchstone.builds.hook;

import java.net.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Commit statuses of GitHub's REST API. */
final class GithubStatus implements CommitStatus {
    @Override
    public HttpRequest.Builder request(Hook.Target target, Push push, StatusReport report) {
        return CommitStatus.post(target, "/repos/" + push.project() + "/statuses/" + push.commit(), body(report))
                .header("Authorization", "Bearer " + target.token().text());
    }

    /** Returns the fields that Gitea has, too. */
    static Map<String, String> body(StatusReport report) {
        Map<String, String> body = new LinkedHashMap<>();
        StatusReport.State state =
                report.state() == StatusReport.State.RUNNING ? StatusReport.State.PENDING : report.state();
        body.put("state", state.name().toLowerCase(Locale.ROOT));
        body.put("context", report.context());
        body.put("description", report.text());
        if (report.link() != null) {
            body.put("target_url", report.link().toString());
        }
        return body;
    }
}
