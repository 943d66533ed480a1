//! The company's logo: a file that administrators upload, and that everybody is shown once the settings name it.

use actix_web::{HttpResponse, http::header, web};
use picture::Logo as Drawn;
use serde::Serialize;
use service::{
    ports::logos::{Logo, LogoId},
    settings::logo::{self, NewLogo},
};
use utoipa::ToSchema;

use super::{
    photos::{EXAMPLE, PictureRefusal, develop},
    replies::{Json, Made, Reply, made},
};
use crate::{
    access::AsStaff,
    contract::{DeclaredAnswer, Names, Record},
    endpoint::{ADMIN, Access, Audit, Example, Route},
    http::{PathId, sizes, upload::PhotoUpload},
    limits::LimitClass,
    state::State,
};

made! {
    /// A logo.
    LogoFile: DeclaredAnswer::plain(200, "The logo.", "image/png");
}

impl Names for LogoId {
    const RECORD: Record = Record::MadeBy("addLogo");
}

/// A logo that was uploaded.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogoAnswer {
    /// What the settings of the company name it by.
    id: String,
    /// Path of its file.
    url: String,
    /// Pixels.
    width: u32,
    /// Pixels.
    height: u32,
    /// Size of the file.
    bytes: u32,
}

impl From<&Logo> for LogoAnswer {
    fn from(l: &Logo) -> LogoAnswer {
        LogoAnswer {
            id: l.id.to_string(),
            url: format!("/api/logos/{}", l.id),
            width: l.width,
            height: l.height,
            bytes: l.bytes,
        }
    }
}

async fn add(
    state: web::Data<State>,
    who: AsStaff,
    form: PhotoUpload,
) -> Reply<Json<LogoAnswer, 201>, (PictureRefusal, ())> {
    let Drawn { png, width, height } = develop(&state, form.file, picture::logo).await?;
    let kept = logo::add(&state.services, &who.0, NewLogo { png, width, height }).await?;
    Ok(Json(LogoAnswer::from(&kept)))
}

async fn show(state: web::Data<State>, id: PathId<LogoId>) -> Reply<Made<LogoFile>> {
    let file = logo::file(&state.services, id.0).await?;
    let response = HttpResponse::Ok()
        .content_type("image/png")
        // Another logo has another id.
        .insert_header((header::CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .body(file);
    Ok(Made::new(response))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    const TAG: &str = "Back office";
    vec![
        Route::post("/api/logos", ADMIN, Audit::Action("logo.add"), add)
            .limited(LimitClass::Upload)
            .takes(sizes::FILE_FORM)
            .doc("addLogo", TAG, "Upload a logo of the company")
            .about("JPEG, PNG or WebP in the part `photo`, at most 12 MB and 25 megapixels. It becomes a PNG of at most 640 × 240 pixels, encoded anew; what is transparent stays so. It is shown once `logo` of the company's settings names its id, and erased after a day when nobody saved it.")
            .example(Example::file("photo", "logo.png", EXAMPLE)),
        Route::get("/api/logos/{id}", Access::Public, show)
            .doc("logo", TAG, "The file of a logo")
            .about("For mails and pages: everybody may see it."),
    ]
}
