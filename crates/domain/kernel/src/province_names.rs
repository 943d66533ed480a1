//! What people call the provinces and territories.

use crate::{Language, Province};

impl Province {
    /// Its name in a language.
    pub const fn name(self, language: Language) -> &'static str {
        use Language::{En, Fr, Zh};
        match (self, language) {
            (Province::QC, En) => "Quebec",
            (Province::QC, Fr) => "Québec",
            (Province::QC, Zh) => "魁北克",
            (Province::ON, Zh) => "安大略",
            (Province::ON, _) => "Ontario",
            (Province::AB, Zh) => "阿尔伯塔",
            (Province::AB, _) => "Alberta",
            (Province::BC, En) => "British Columbia",
            (Province::BC, Fr) => "Colombie-Britannique",
            (Province::BC, Zh) => "不列颠哥伦比亚",
            (Province::MB, Zh) => "马尼托巴",
            (Province::MB, _) => "Manitoba",
            (Province::SK, Zh) => "萨斯喀彻温",
            (Province::SK, _) => "Saskatchewan",
            (Province::NS, En) => "Nova Scotia",
            (Province::NS, Fr) => "Nouvelle-Écosse",
            (Province::NS, Zh) => "新斯科舍",
            (Province::NB, En) => "New Brunswick",
            (Province::NB, Fr) => "Nouveau-Brunswick",
            (Province::NB, Zh) => "新不伦瑞克",
            (Province::PE, En) => "Prince Edward Island",
            (Province::PE, Fr) => "Île-du-Prince-Édouard",
            (Province::PE, Zh) => "爱德华王子岛",
            (Province::NL, En) => "Newfoundland and Labrador",
            (Province::NL, Fr) => "Terre-Neuve-et-Labrador",
            (Province::NL, Zh) => "纽芬兰与拉布拉多",
            (Province::YT, Zh) => "育空",
            (Province::YT, _) => "Yukon",
            (Province::NT, En) => "Northwest Territories",
            (Province::NT, Fr) => "Territoires du Nord-Ouest",
            (Province::NT, Zh) => "西北地区",
            (Province::NU, Zh) => "努纳武特",
            (Province::NU, _) => "Nunavut",
        }
    }
}
