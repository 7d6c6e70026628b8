package dev.touchstone.builds.hook;

import java.net.http.HttpRequest;

/** Commit statuses of the REST API of Gitea and Forgejo. */
final class GiteaStatus implements CommitStatus {
    @Override
    public HttpRequest.Builder request(Hook.Target target, Push push, StatusReport report) {
        return CommitStatus.post(
                        target, "/repos/" + push.project() + "/statuses/" + push.commit(), GithubStatus.body(report))
                .header("Authorization", "token " + target.token().text());
    }
}
